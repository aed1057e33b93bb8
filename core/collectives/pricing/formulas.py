"""Datasheet rates: the formulas of the registry on the links of a placement, the cheapest one wins."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.formulas import Cost
from core.collectives.formulas.registry import Algorithm
from core.collectives.pricing.choices import candidates
from core.collectives.pricing.columns import Sweep
from core.collectives.pricing.placement import Placement
from core.collectives.pricing.scenario import Scenario
from core.collectives.rates import REMARKS, Rates
from core.hardware import Hop
from core.provenance import Origin

OVERRIDE = "A latency or rate was given: priced by the formulas on it, not by the calibration."


def by_formulas(
    scenario: Scenario, placement: Placement, sizes: Floats, remarks: tuple[str, ...] = ()
) -> Sweep:
    """The sweep of a scenario whose rates are the datasheet's, the sources' or the user's."""
    rates = scenario.rates
    origin = Origin.PUBLISHED if rates.origin is Origin.PUBLISHED else Origin.SPEC
    wired = placement.on(rates)
    choice = candidates(scenario.collective, scenario.algorithm, wired, origin)
    costs = [price(item, wired, sizes, rates) for item in choice]
    best, second = _order(costs, sizes.shape)
    pick = _picker(costs, best)
    total = pick([cost.total_s for cost in costs])
    nothing = total <= 0
    labels = np.array([item.word for item in choice])
    runner_ups, runner_up_s = _runner_up(costs, labels, second, nothing)
    return Sweep(
        collective=scenario.collective,
        ranks=scenario.ranks,
        size_bytes=sizes,
        time_s=total,
        low_s=total,
        high_s=total,
        launch_s=pick([cost.launch_s for cost in costs]),
        latency_s=pick([cost.latency_s for cost in costs]),
        transfer_s=pick([cost.transfer_s for cost in costs]),
        reduction_s=pick([cost.reduction_s for cost in costs]),
        wire_bytes=sizes * np.array([wire_factor(item, wired) for item in choice])[best],
        algorithms=np.where(nothing, "", labels[best]),
        runner_ups=runner_ups,
        runner_up_s=runner_up_s,
        rates=str(origin),
        basis=str(origin),
        warnings=_warnings(scenario, placement, origin, remarks),
        sources=_sources(scenario, choice),
    )


def price(item: Algorithm, placement: Placement, sizes: Floats, rates: Rates) -> Cost:
    """One algorithm on the wires of a place; the latency counts for each step, or once."""
    if rates.latency_per == "step":
        return run(item, placement, sizes, placement.inner, placement.outer)
    still = Hop(0.0, placement.inner.bytes_per_s)
    outer = None if placement.outer is None else Hop(0.0, placement.outer.bytes_per_s)
    cost = run(item, placement, sizes, still, outer)
    once_s = (placement.outer or placement.inner).latency_s
    latency = np.where((sizes > 0) & (placement.ranks > 1), once_s, 0.0)
    return Cost(cost.launch_s, latency, cost.transfer_s, cost.reduction_s)


def run(item: Algorithm, placement: Placement, sizes: Floats, inner: Hop, outer: Hop | None) -> Cost:
    """Call an algorithm of either kind."""
    if item.levels == 1:
        return item.function(sizes, placement.local_ranks, inner)
    return item.function(sizes, placement.local_ranks, placement.domains, inner, outer)


def wire_factor(item: Algorithm, placement: Placement) -> float:
    """Bytes on the wires of a GPU for one byte of size; zero for a single rank."""
    if placement.ranks == 1:
        return 0.0
    return item.wire_factor(
        *((placement.local_ranks,) if item.levels == 1 else (placement.local_ranks, placement.domains))
    )


def _order(costs: list[Cost], shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp] | None]:
    if len(costs) == 1:
        return np.zeros(shape, np.intp), None
    order = np.argsort(np.stack([cost.total_s for cost in costs]), axis=0, kind="stable")
    return order[0], order[1]


def _picker(costs: list[Cost], best: NDArray[np.intp]) -> Any:
    if len(costs) == 1:
        return lambda columns: columns[0]
    return lambda columns: np.choose(best, columns)


def _runner_up(
    costs: list[Cost], labels: NDArray[Any], second: NDArray[np.intp] | None, nothing: NDArray[np.bool_]
) -> tuple[NDArray[Any], Floats]:
    if second is None:
        return np.full(nothing.shape, ""), np.full(nothing.shape, np.nan)
    times = np.choose(second, [cost.total_s for cost in costs])
    return np.where(nothing, "", labels[second]), np.where(nothing, np.nan, times)


def _warnings(
    scenario: Scenario, placement: Placement, origin: Origin, remarks: tuple[str, ...]
) -> tuple[str, ...]:
    warnings = (*placement.remarks, *remarks)
    if origin is Origin.PUBLISHED:
        warnings = (*warnings, REMARKS[origin])
    if scenario.rates.overridden and scenario.rates.origin in (Origin.CALIBRATED, Origin.FITTED):
        warnings = (*warnings, OVERRIDE)
    return warnings


def _sources(scenario: Scenario, choice: tuple[Algorithm, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys([*(item.source for item in choice), *scenario.system.sources]))
