"""What would make a serving layout fit the memory of its GPUs, where it does not as it was asked."""

from collections.abc import Iterator
from dataclasses import replace

from core.calculators.capacity.layout import laid_out
from core.calculators.capacity.scenario import Scenario
from core.calculators.capacity.usage import Usage, usage
from core.calculators.question import FP8, MOST_REQUESTS
from core.catalog import precision
from core.checks import InputError
from core.parallel.grow import grow_to
from core.parallel.memory_fit import Fit, Verdict
from core.units import counted
from core.workload import Precision

INT4 = precision("w4a16")
NARROW = {FP8.id: "FP8", INT4.id: "INT4"}
NARROW_KV = "FP8 KV cache"
MOST_TIMES = 8
"""Times the GPUs that are looked at."""
TRIED = f"FP8 KV cache, weights in 4 bits or {MOST_TIMES} times the GPUs"


def fit(asked: Scenario) -> Fit:
    """
    Whether weights and requests fit as asked, or what would make them fit.

    Tried in order, the cheapest first: an FP8 KV cache, FP8 weights, fewer concurrent requests, INT4 weights,
    these together, more GPUs in whatever layout holds most.

    Args:
        asked: A scenario with its degree and GPUs filled in.
    """
    memory = usage(asked)
    if memory.fits:
        return _fit(Verdict.FITS, (), memory)
    least = memory
    for conditions, changed in _alternatives(asked):
        held = usage(changed)
        if held.fits:
            return _fit(Verdict.FITS_IF, conditions, held)
        least = min(least, held, key=lambda item: item.used_bytes / item.limit_bytes)
    return replace(_fit(Verdict.DOES_NOT_FIT, (), least), tried=TRIED)


def _fit(verdict: Verdict, conditions: tuple[str, ...], memory: Usage) -> Fit:
    return Fit(verdict, conditions, memory.used_bytes, memory.limit_bytes)


def _alternatives(asked: Scenario) -> Iterator[tuple[tuple[str, ...], Scenario]]:
    """Formats of eight bits, fewer requests, formats of four bits, both together, more GPUs."""
    eight, four = list(_narrower(asked, FP8)), list(_narrower(asked, INT4))
    yield from eight
    yield from _fewer(asked, (), asked)
    yield from four
    for names, changed in (*eight, *four):
        yield from _fewer(asked, names, changed)
    yield from _larger(asked)


def _narrower(asked: Scenario, weights: Precision) -> Iterator[tuple[tuple[str, ...], Scenario]]:
    """An FP8 KV cache, narrower weights, and both, as far as they are wider as asked."""
    wider = asked.weights.bits > weights.bits
    cached = bool(asked.sequences) and asked.kv.bytes_per_value > FP8.bytes_per_value
    narrow_kv, narrow_weights = replace(asked, kv=FP8), replace(asked, weights=weights)
    if cached and weights is FP8:
        yield (NARROW_KV,), narrow_kv
    if wider:
        yield (f"{NARROW[weights.id]} weights",), narrow_weights
    if wider and cached:
        yield (NARROW_KV, f"{NARROW[weights.id]} weights"), replace(narrow_weights, kv=FP8)


def _fewer(
    asked: Scenario, names: tuple[str, ...], changed: Scenario
) -> Iterator[tuple[tuple[str, ...], Scenario]]:
    """As many concurrent requests as have room."""
    most = usage(changed).most_requests(MOST_REQUESTS) * changed.replicas
    if 0 < most < asked.sequences:
        condition = f"at most {counted(most, 'concurrent request')}"
        yield (*names, condition), replace(changed, sequences=most)


def _larger(asked: Scenario) -> Iterator[tuple[tuple[str, ...], Scenario]]:
    """Two, four and eight times the GPUs; none where the system has no network to reach them."""
    times = 2
    while times <= MOST_TIMES:
        gpus = asked.used_gpus * times
        try:
            system = grow_to(asked.system, gpus)
            grown = replace(asked, system=system, gpus=gpus, tp=None, dp=None, ep=None)
            yield (f"{gpus:,} GPUs",), laid_out(grown)
        except InputError:
            return
        times *= 2
