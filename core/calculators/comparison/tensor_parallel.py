"""A serving step by what it waits for."""

from dataclasses import fields

import numpy as np

from core.calculators.comparison.explanation import (
    BYTES,
    COUNT,
    DOLLARS,
    SECONDS,
    SHARE,
    Explanation,
    Figure,
    Part,
    Quantity,
)
from core.calculators.comparison.facts import rates_text
from core.calculators.serving import Engine
from core.calculators.tensor_parallel import Answer, Scenario, Service, compare
from core.calculators.tensor_parallel.terms import terms
from core.collectives.pricing import answered
from core.units import format_memory, format_time


def step(scenario: Scenario, name: str = "Step time") -> Quantity:
    """The step's terms; what moves them is found beside the other side's, from the counts of both."""
    causes = compare(scenario, scenario).terms
    return Quantity(name, SECONDS, tuple(Part(term.name, term.a_s) for term in causes), scenario)


def rates(scenario: Scenario) -> str:
    """What answered for the messages of a step, as ``calibrated, spec``."""
    tokens, context = (np.array([float(value)]) for value in (scenario.tokens, scenario.cached))
    basis = terms(scenario, tokens, context, scenario.tp).exchange.basis
    return answered(scenario.rates, basis.split(", "))


def work(scenario: Scenario) -> dict[str, str]:
    """What a step is asked to do."""
    return {
        "model": scenario.model.name,
        "phase": scenario.phase,
        "batched tokens": f"{scenario.tokens:,}",
        "context length": f"{scenario.cached:,}",
        "rates": rates_text(scenario.rates),
    }


def tensor_parallel(
    answer: Answer, service: Service | None = None, engine: Engine | None = None
) -> Explanation:
    """A step of tensor parallelism: throughput, memory, cost, and what a serving engine makes of it."""
    scenario = answer.scenario
    figures = [
        Figure("Exposed communication", answer.per_step.share, SHARE, more=False),
        Figure("Tokens/s", answer.tokens_per_s, COUNT, more=True),
        Figure("Tokens/s per GPU", answer.tokens_per_s_per_gpu, COUNT, more=True),
        Figure("Memory per GPU", answer.memory_bytes, BYTES, more=False),
    ]
    if service is not None and service.ttft_s is not None:
        figures.append(Figure("TTFT", service.ttft_s, SECONDS, more=False))
    if service is not None and service.usd_per_million_tokens is not None:
        figures.append(Figure(PER_TOKEN, service.usd_per_million_tokens, DOLLARS, more=False))
    if service is not None:
        figures += _engine_figures(service)
    return Explanation(
        subject=f"{scenario.model.name}, TP{scenario.tp} on {scenario.system.name}",
        work=work(scenario) | _engine_work(engine or Engine()),
        quantities=(step(scenario),),
        figures=tuple(figures),
        rates=rates(scenario),
        assumptions=answer.assumptions,
        warnings=answer.warnings,
        sources=answer.sources,
        fits=answer.fits,
    )


def _engine_figures(service: Service) -> list[Figure]:
    times = {"TTFT with engine": service.engine_ttft_s, "TPOT with engine": service.engine_tpot_s}
    figures = [Figure(name, time, SECONDS, more=False) for name, time in times.items() if time is not None]
    if service.largest is not None:
        figures.append(Figure("Largest batch", service.largest.requests, COUNT, more=True))
    return figures


def _engine_work(engine: Engine) -> dict[str, str]:
    """Fields of the engine that are not those of an engine that adds nothing, in words."""
    plain = Engine()
    values = {item.name: getattr(engine, item.name) for item in fields(engine)}
    return {
        f"engine: {_LABELS.get(name, name.replace('_', ' '))}": _text(name, value)
        for name, value in values.items()
        if value != getattr(plain, name)
    }


def _text(name: str, value: float | str) -> str:
    if isinstance(value, str):
        return value
    if name.endswith("_bytes"):
        return format_memory(value)
    return format_time(value) if name.endswith("_s") else f"{value:,g}"


_LABELS = {
    "host_step_s": "host time of a step",
    "host_sequence_s": "host time per request",
    "host_logit_s": "host time per request and vocabulary entry",
    "memory_of": "usable memory of",
    "reserve_bytes": "runtime reserve per GPU",
    "kv_reserve": "KV cache kept for",
    "kv_block": "KV block (tokens)",
    "max_sequences": "concurrent requests at most",
}
PER_TOKEN = "$ per million tokens"  # noqa: S105 (tokens of text)
