"""Capacity: the decode step of a layout, the requests that fit, and the memory of a GPU by part."""

from core.calculators.capacity import Capacity, Scenario
from core.calculators.capacity.parts import EXPERTS
from core.calculators.capacity.service import decode_step
from core.calculators.comparison.explanation import (
    BYTES,
    COUNT,
    DOLLARS,
    SECONDS,
    Explanation,
    Factor,
    Figure,
    Part,
    Quantity,
)
from core.calculators.comparison.facts import count, option, rates_text
from core.calculators.comparison.tensor_parallel import PER_TOKEN, step
from core.calculators.tensor_parallel import Service
from core.calculators.tensor_parallel.formats import widths
from core.provenance import Origin
from core.units import BILLION, counted, format_memory

REQUESTS = "Concurrent requests that fit"


def capacity(answer: Capacity, service: Service | None = None) -> Explanation:
    """A layout's decode step at the load where it fits, then its memory per GPU and what that leaves."""
    scenario = answer.scenario
    serving = decode_step(answer)
    quantities = [Quantity("Memory per GPU", BYTES, _parts(answer))]
    if serving is not None and answer.fits:
        quantities.insert(0, step(serving, "TPOT"))
    return Explanation(
        subject=f"{_model(scenario)} on {counted(scenario.used_gpus, 'GPU')} of {scenario.system.name}",
        work={
            "model": _model(scenario),
            "context length": f"{scenario.context:,}",
            "concurrent requests": f"{scenario.sequences:,}",
            "GPUs": f"{scenario.used_gpus:,}",
            "rates": rates_text(scenario.rates),
        },
        quantities=tuple(quantities),
        figures=_figures(answer, service),
        rates=str(Origin.SPEC),
        assumptions=answer.assumptions,
        warnings=answer.warnings,
        sources=answer.sources,
        fits=answer.fits,
    )


def _model(scenario: Scenario) -> str:
    if scenario.model is not None:
        return scenario.model.name
    return f"{scenario.values / BILLION:,.4g} B parameters"


def _figures(answer: Capacity, service: Service | None) -> tuple[Figure, ...]:
    figures = []
    if answer.max_sequences is not None:
        figures.append(Figure(REQUESTS, answer.max_sequences, COUNT, more=True))
    if service is not None and answer.fits:
        figures.append(Figure("Tokens/s per GPU", service.tokens_per_s_per_gpu, COUNT, more=True))
        if service.usd_per_million_tokens is not None:
            figures.append(Figure(PER_TOKEN, service.usd_per_million_tokens, DOLLARS, more=False))
    figures += [
        Figure("TPOT floor, batch 1", answer.decode_floor_s, SECONDS, more=False),
        Figure("Least GPUs for one copy", answer.minimum_gpus, COUNT, more=False),
        Figure("Free per GPU", answer.free_bytes_per_gpu, BYTES, more=True),
    ]
    return tuple(figures)


def _parts(answer: Capacity) -> tuple[Part, ...]:
    scenario = answer.scenario
    cache = _cache_factors(answer, "KV cache", answer.kv_bytes_per_sequence_per_gpu or 0.0)
    state = _cache_factors(answer, "state", answer.state_bytes_per_sequence_per_gpu or 0.0)
    factors = {
        "KV cache": cache,
        "state": state,
        "working": (option("layout", scenario.layout),),
        "reserve": (),
    }
    return tuple(
        Part(
            part.name,
            part.bytes,
            factors.get(part.name if part.kind == "cache" else part.kind, _stored(scenario, part.name)),
        )
        for part in answer.parts
    )


def _stored(scenario: Scenario, part: str) -> tuple[Factor, ...]:
    """What the weights of a part are multiplied by."""
    model, fmt = scenario.model, scenario.weights
    sizes = [fmt.bytes_per_value]
    if model is not None and part != EXPERTS:
        sizes = sorted(set(widths(model, fmt)[:2]))
    return (
        Factor("parameters", f"{scenario.values / BILLION:,.4g} B", scenario.values),
        Factor("bytes of a weight", " and ".join(f"{size:g}" for size in sizes), sizes[-1]),
        option("layout", scenario.layout),
    )


def _cache_factors(answer: Capacity, name: str, size_bytes: float) -> tuple[Factor, ...]:
    """What a cache of one request is multiplied by."""
    return (
        count("concurrent requests", answer.scenario.sequences),
        Factor(f"{name} of a request per GPU", format_memory(size_bytes), size_bytes),
        option("replicas of attention", answer.scenario.replicas),
    )
