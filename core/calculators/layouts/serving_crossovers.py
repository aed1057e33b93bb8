"""Crossovers of serving: the load, context or link rate at which another layout becomes better."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from core.calculators.layouts.crossovers import OCTAVES, Crossover, Progress
from core.calculators.layouts.digits import place_of, value_at
from core.calculators.layouts.scaled_system import with_network_rate, with_scale_up_rate
from core.calculators.layouts.serving_layout import ServingLayout, cost_s
from core.calculators.layouts.serving_ranking import ServingRanking, rank, serving_layout
from core.calculators.tensor_parallel import Scenario
from core.checks import InputError
from core.parallel.grow import grow_to

COMPARED = 6
"""Layouts of a ranking that are compared while an input changes."""
ATTEMPTS = 3
"""Times that a crossover is searched again with what the whole question found to be better."""
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
    scenario: Scenario,
    gpus: int,
    sequences: int,
    ranking: ServingRanking,
    *,
    progress: Progress | None = None,
) -> tuple[Crossover, ...]:
    """
    Where another layout becomes clearly better, each input divided and multiplied by up to 16.

    The best few layouts are compared; what they say is then asked of every layout, at ``value`` and at
    ``previous``, and searched again where another one wins there. ``progress`` is called before each
    search with those done and all of them.
    """
    searches = serving_crossover_searches(scenario, gpus, sequences, ranking)
    points = []
    for done, search in enumerate(searches):
        if progress:
            progress(done, len(searches))
        points.append(search())
    return tuple(point for point in points if point is not None)


def serving_crossover_searches(
    scenario: Scenario, gpus: int, sequences: int, ranking: ServingRanking
) -> tuple[Callable[[], Crossover | None], ...]:
    """The searches of ``serving_crossovers`` one by one: each input downwards and upwards."""
    load = grown_load(scenario, gpus, sequences)
    changes = [(item, up) for item in SERVING_INPUTS for up in (False, True) if item.value(load) > 0]
    return tuple(partial(_search, _Line(load, ranking, changed, up)) for changed, up in changes)


@dataclass(frozen=True, slots=True)
class _Line:
    """A load while one input grows or shrinks, in steps of its third digit; place 0 is the current value."""

    load: Load
    ranking: ServingRanking
    changed: ServingInput
    up: bool

    def value(self, place: int) -> float:
        """The input at a place; requests and tokens are whole."""
        now = self.changed.value(self.load)
        if place == 0:
            return now
        value = value_at(place_of(now) + (place if self.up else -place))
        return value if self.changed.unit == "B/s" else max(1.0, round(value))

    def at(self, place: int) -> Load:
        """The load there."""
        return self.changed.scaled(self.load, self.value(place) / self.changed.value(self.load))

    def octave(self, octaves: int) -> int:
        """The place so many doublings or halvings away."""
        now = self.changed.value(self.load)
        return abs(place_of(now * 2.0 ** (octaves if self.up else -octaves)) - place_of(now))


def _search(line: _Line) -> Crossover | None:
    layouts = list(line.ranking.layouts[:COMPARED])
    for _ in range(ATTEMPTS):
        place = _first_other(line, layouts)
        if place is None:
            return None
        winners = [_best(line, where) for where in (place - 1, place)]
        if _keeps(line, place - 1, winners[0]) and not _keeps(line, place, winners[1]):
            to = "nothing fits" if winners[1] is None else winners[1].name()
            now, value = line.changed.value(line.load), line.value(place)
            before, previous = layouts[0].name(), line.value(place - 1)
            return Crossover(
                line.changed.name, line.changed.unit, now, value, value / now, before, to, previous
            )
        layouts += [winner for winner in winners if winner is not None]
    return None


def _best(line: _Line, place: int) -> ServingLayout | None:
    """The whole question at a place; None where nothing fits."""
    load = line.at(place)
    try:
        return rank(load.scenario, load.gpus, load.sequences, line.ranking.goal).best
    except InputError:
        return None


def _keeps(line: _Line, place: int, best: ServingLayout | None) -> bool:
    """Whether the current layout is still as good as the best one at a place, ties counted."""
    current = served(line.at(place), line.ranking.best)
    if current is None or best is None:
        return False
    goal = line.ranking.goal
    return cost_s(current, goal) * (1 - CLEAR) <= cost_s(best, goal)


def _first_other(line: _Line, layouts: Sequence[ServingLayout]) -> int | None:
    """The first place at which another of the layouts is clearly better, as far as doublings tell."""
    for near, far in pairwise([line.octave(octave) for octave in OCTAVES]):
        if _another(line, layouts, far):
            inside, outside = near, far
            while outside - inside > 1:
                middle = (inside + outside) // 2
                inside, outside = (inside, middle) if _another(line, layouts, middle) else (middle, outside)
            return outside
    return None


def _another(line: _Line, layouts: Sequence[ServingLayout], place: int) -> bool:
    """Whether another of the layouts is clearly better than the first, or the first fits no more."""
    load, goal = line.at(place), line.ranking.goal
    current = served(load, layouts[0])
    if current is None:
        return True
    others = (served(load, layout) for layout in layouts[1:])
    least_s = min((cost_s(other, goal) for other in others if other is not None), default=math.inf)
    return cost_s(current, goal) * (1 - CLEAR) > least_s
