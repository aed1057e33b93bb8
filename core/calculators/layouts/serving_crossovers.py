"""Crossovers of serving: the load, context or link rate at which another layout becomes better."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.calculators.layouts.crossovers import Crossover
from core.calculators.layouts.scaled_system import with_network_rate, with_scale_up_rate
from core.calculators.layouts.serving_ranking import ServingLayout, ServingRanking, cost_s, serving_layout
from core.calculators.layouts.solve import first_change
from core.calculators.tensor_parallel import Scenario
from core.parallel.grow import grow_to

COMPARED = 6
"""Layouts of a ranking that are compared while an input changes."""
SPAN = 16.0
"""Each input is divided and multiplied by at most this factor."""
NOTHING_FITS = -1
CLEAR = 0.01
"""Share by which another layout must be better to win: ties are no crossovers."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is served: system, formats and context; GPUs, and the concurrent requests of all."""

    scenario: Scenario
    gpus: int
    sequences: int


@dataclass(frozen=True, slots=True)
class ServingInput:
    """An input of serving: its current value, and the load with it multiplied."""

    name: str
    unit: str
    value: Callable[[Load], float]
    scaled: Callable[[Load, float], Load]


def grown_load(scenario: Scenario, gpus: int, sequences: int) -> Load:
    """The load on as many domains as ``gpus`` need."""
    return Load(replace(scenario, system=grow_to(scenario.system, gpus)), gpus, sequences)


def served(load: Load, layout: ServingLayout) -> ServingLayout | None:
    """The same degrees under another load; None where it does not fit."""
    return serving_layout(load.scenario, load.gpus, load.sequences, layout.degrees)


def _network_rate(load: Load) -> float:
    leaf = load.scenario.system.scale_out
    return 0.0 if leaf is None or load.scenario.system.domains == 1 else leaf.bytes_per_s


def _scale_network(load: Load, factor: float) -> Load:
    system = with_network_rate(load.scenario.system, factor)
    return replace(load, scenario=replace(load.scenario, system=system))


def _scale_scale_up(load: Load, factor: float) -> Load:
    system = with_scale_up_rate(load.scenario.system, factor)
    return replace(load, scenario=replace(load.scenario, system=system))


def _scale_sequences(load: Load, factor: float) -> Load:
    return replace(load, sequences=max(1, round(load.sequences * factor)))


def _scale_context(load: Load, factor: float) -> Load:
    context = max(1, round(load.scenario.cached * factor))
    return replace(load, scenario=replace(load.scenario, context=context))


SERVING_INPUTS = (
    ServingInput("concurrent requests", "requests", lambda load: float(load.sequences), _scale_sequences),
    ServingInput("context length", "tokens", lambda load: float(load.scenario.cached), _scale_context),
    ServingInput("network rate per GPU", "B/s", _network_rate, _scale_network),
    ServingInput(
        "scale-up rate per GPU",
        "B/s",
        lambda load: load.scenario.system.scale_up.bytes_per_s,
        _scale_scale_up,
    ),
)


def serving_crossovers(
    scenario: Scenario, gpus: int, sequences: int, ranking: ServingRanking
) -> tuple[Crossover, ...]:
    """
    Where the best layout of a ranking changes, each input divided and multiplied by up to 16.

    Only the best few layouts are compared; one that no longer fits drops out.
    """
    layouts = ranking.layouts[:COMPARED]
    if len(layouts) < 2:  # noqa: PLR2004 (one layout has no rival)
        return ()
    load = grown_load(scenario, gpus, sequences)
    points = []
    for changed in SERVING_INPUTS:
        value = changed.value(load)
        if value <= 0:
            continue
        for end in (1 / SPAN, SPAN):
            change = first_change(_best_by(layouts, load, changed, ranking.goal), 1.0, end)
            if change is not None:
                beyond = "nothing fits" if change.choice == NOTHING_FITS else layouts[change.choice].name()
                figures = value, value * change.value, change.value
                points.append(Crossover(changed.name, changed.unit, *figures, layouts[0].name(), beyond))
    return tuple(points)


def _best_by(
    layouts: Sequence[ServingLayout], load: Load, changed: ServingInput, goal: str
) -> Callable[[float], int]:
    """Index of the layout that is clearly best once the input is multiplied, or that none fits any more."""

    def choose(factor: float) -> int:
        scaled = changed.scaled(load, factor)
        options = ((index, served(scaled, layout)) for index, layout in enumerate(layouts))
        costs = {index: cost_s(layout, goal) for index, layout in options if layout is not None}
        if not costs:
            return NOTHING_FITS
        best = min(costs, key=costs.__getitem__)
        return best if costs.get(0, math.inf) * (1 - CLEAR) > costs[best] else 0

    return choose
