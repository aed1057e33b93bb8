"""A serving step by what it waits for."""

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
from core.calculators.tensor_parallel import Answer, Scenario, Service, compare
from core.calculators.tensor_parallel.terms import terms
from core.collectives.pricing import answered


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


def tensor_parallel(answer: Answer, service: Service | None = None) -> Explanation:
    """A step of tensor parallelism with its throughput, memory and cost."""
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
    return Explanation(
        subject=f"{scenario.model.name}, TP{scenario.tp} on {scenario.system.name}",
        work=work(scenario),
        quantities=(step(scenario),),
        figures=tuple(figures),
        rates=rates(scenario),
        assumptions=answer.assumptions,
        warnings=answer.warnings,
        sources=answer.sources,
    )


PER_TOKEN = "$ per million tokens"  # noqa: S105 (tokens of text)
