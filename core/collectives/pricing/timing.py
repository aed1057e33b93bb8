"""Seconds of a collective and the latency among them, for searches that ask for thousands."""

from dataclasses import dataclass
from functools import lru_cache

from core.checks import Floats, InputError, sizes
from core.collectives.cost_model.curve import CostCurve, TimeCurve, basis_of, time_and_latency
from core.collectives.pricing.calibrated import curve_of
from core.collectives.pricing.placement import Placement, placement_of
from core.collectives.pricing.scenario import Scenario
from core.collectives.pricing.sweep import by_formula_only, priced


@dataclass(frozen=True, slots=True)
class Timing:
    """One collective at several sizes: seconds, how many of them are latency, and their basis."""

    time_s: Floats
    latency_s: Floats
    basis: str


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where the ranks of a collective sit, and its curve where the cost model has one."""

    placement: Placement
    curve: CostCurve | TimeCurve | None


def timing(scenario: Scenario, sizes_bytes: Floats) -> Timing:
    """
    What ``sweep`` says of time and latency, without the rest of it.

    Raises:
        InputError: Ranks that do not fit the system, or an algorithm that does not apply.
    """
    placed = _placed(scenario)
    if placed.curve is None:
        prices = priced(scenario, placed.placement, sizes("size_bytes", sizes_bytes))
        return Timing(prices.time_s, prices.latency_s, prices.basis)
    return Timing(*time_and_latency(placed.curve, sizes_bytes), basis_of(placed.curve, sizes_bytes))


@lru_cache(maxsize=8192)
def _placed(scenario: Scenario) -> _Placed:
    placement = placement_of(scenario)
    if by_formula_only(scenario):
        return _Placed(placement, None)
    try:
        return _Placed(placement, curve_of(scenario, placement))
    except InputError:
        return _Placed(placement, None)
