"""Crossovers of training: the value of each input at which another layout becomes the fastest."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

import numpy as np

from core.calculators.layouts.by_batch import fastest_by_batch
from core.calculators.layouts.digits import place_of, value_at
from core.calculators.layouts.inputs import INPUTS, Input
from core.calculators.layouts.race import Race
from core.calculators.layouts.repriced import Repriced
from core.calculators.layouts.training_ranking import Ranking, kind_of, name_of
from core.calculators.training import Scenario
from core.checks import Floats, InputError
from core.units import format_rate

OCTAVES = (0, 1, 2, 4)
"""Doublings and halvings at which a rate or a latency is tried before a change is narrowed down."""
DOUBLINGS = 4
"""Those of the global batch size."""
EIGHTHS = 8
"""Steps of the global batch size between two doublings."""
Progress = Callable[[int, int], None]
"""Told how much is done of how much; may raise to stop the search."""


@dataclass(frozen=True, slots=True)
class Crossover:
    """
    A break-even point: at ``value`` of ``input`` another layout wins, one digit before it does not.

    Attributes:
        input, unit: Name of the input, and the unit of ``now`` and ``value``.
        now: Its value in the scenario.
        value: To three significant digits, a global batch size in eighths of an octave.
        factor: ``value`` over ``now``.
        before, to: The layout that wins now, and the one that wins at ``value``.
        previous: The value next to ``value`` on the side of ``now``, at which ``before`` still wins,
            perhaps with another micro-batch, recomputation or interleaving; None where not known.
    """

    input: str
    unit: str
    now: float
    value: float
    factor: float
    before: str
    to: str
    previous: float | None = None

    @property
    def condition(self) -> str:
        """As ``network rate per GPU at 12 GB/s and below``."""
        side = "and below" if self.factor < 1 else "and above"
        if self.unit == "B/s":
            return f"{self.input} at {format_rate(self.value)} {side}"
        if self.unit == "times":
            return f"{self.input} at {self.factor:.3g} times the current one {side}"
        unit = "" if self.input.endswith(self.unit) else f" {self.unit}"
        return f"{self.input} at {self.value:,.0f}{unit} {side}"


def crossovers(ranking: Ranking, *, progress: Progress | None = None) -> tuple[Crossover, ...]:
    """
    Where other degrees of parallelism become fastest, each input divided and multiplied by up to 16.

    Every layout of the ranking takes part, and where the global batch size changes every layout that it
    allows: whoever asks the whole question at ``value`` gets ``to``, and at ``previous`` the degrees of
    ``before``. Of several changes the first beyond a doubling is given.

    Args:
        ranking: Of the job.
        progress: Called before each search with those done and all of them.
    """
    searches = crossover_searches(ranking)
    points = []
    for done, search in enumerate(searches):
        if progress:
            progress(done, len(searches))
        points.append(search())
    return tuple(point for point in points if point is not None)


def crossover_searches(ranking: Ranking) -> tuple[Callable[[], Crossover | None], ...]:
    """The searches of ``crossovers`` one by one: each input downwards and upwards."""
    changes = [(item, up) for item in INPUTS for up in (False, True) if item.value(ranking.scenario) > 0]
    prepared = cache(lambda: _Prepared.of(ranking))
    return tuple(
        partial(_of_batch, ranking, changed, up=up)
        if changed.speeds_up is None
        else partial(_of_links, ranking, prepared, changed, up=up)
        for changed, up in changes
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """What all searches of links begin with: the work of the layouts, and their steps as they are."""

    repriced: Repriced
    now_s: Floats

    @classmethod
    def of(cls, ranking: Ranking) -> "_Prepared":
        scenarios = [layout.scenario for layout in ranking.layouts]
        return cls(Repriced.of(scenarios), np.array([layout.step_s for layout in ranking.layouts]))


def _of_links(
    ranking: Ranking, prepared: Callable[[], _Prepared], changed: Input, *, up: bool
) -> Crossover | None:
    """The first crossover of a rate or latency, in steps of its third digit."""
    now = changed.value(ranking.scenario)
    start, sign = place_of(now), 1 if up else -1
    octaves = [abs(place_of(now * 2.0 ** (sign * octave)) - start) for octave in OCTAVES]

    def factor(place: int) -> float:
        return value_at(start + sign * place) / now if place else 1.0

    work = prepared()
    race = Race(ranking.layouts, work.repriced, changed, factor, octaves[-1], work.now_s)
    for near, far in pairwise(octaves):
        if race.fastest(far).kind != ranking.ranked[0].kind:
            place = race.first_other(near, far)
            winner = race.fastest(place).name()
            return _crossover(
                ranking, changed, value_at(start + sign * place), now * factor(place - 1), winner
            )
    return None


def _of_batch(ranking: Ranking, changed: Input, *, up: bool) -> Crossover | None:
    """The first crossover of the global batch size, the whole question asked at each size tried."""
    near, winner = ranking.scenario.global_batch, ranking.ranked[0]
    sizes = tuple(_doublings(near, up=up))
    fastest = _fastest(ranking, sizes)
    for far in sizes:
        if far not in fastest:
            return None
        if kind_of(fastest[far]) != winner.kind:
            return _nearer(ranking, changed, _Bracket(near, far, fastest[far]))
        near = far
    return None


@dataclass(frozen=True, slots=True)
class _Bracket:
    """Two sizes: the current degrees win at ``near``, another layout at ``far``."""

    near: int
    far: int
    other: Scenario

    @property
    def between(self) -> tuple[int, ...]:
        """
        Sizes between them to try.

        Until an eighth of the smaller one apart, or until they do not divide further.
        """
        least, apart = max(1, min(self.near, self.far) // EIGHTHS), abs(self.far - self.near)
        while apart > least and apart % 2 == 0:
            apart //= 2
        low, high = sorted((self.near, self.far))
        return tuple(range(low + apart, high, apart))


def _doublings(batch: int, *, up: bool) -> Iterator[int]:
    for octave in range(1, DOUBLINGS + 1):
        if up:
            yield batch << octave
        elif batch % (1 << octave) == 0:
            yield batch >> octave


def _nearer(ranking: Ranking, changed: Input, bracket: _Bracket) -> Crossover:
    """The bracket halved until no size between its ends is to be tried."""
    near, far, other = bracket.near, bracket.far, bracket.other
    between = bracket.between
    fastest = _fastest(ranking, between)
    while (middle := (near + far) // 2) in between and (far - near) % 2 == 0:
        if middle not in fastest:
            break
        if kind_of(fastest[middle]) == ranking.ranked[0].kind:
            near = middle
        else:
            far, other = middle, fastest[middle]
    return _crossover(ranking, changed, float(far), float(near), name_of(other))


def _fastest(ranking: Ranking, batches: Sequence[int]) -> dict[int, Scenario]:
    """The fastest layout at other global batch sizes; none where nothing fits."""
    jobs = []
    for batch in batches:
        with suppress(InputError):
            jobs.append(ranking.at_batch(batch))
    try:
        return fastest_by_batch(jobs, ranking.gpus, ranking.limits) if jobs else {}
    except InputError:
        return {}


def _crossover(ranking: Ranking, changed: Input, value: float, previous: float, winner: str) -> Crossover:
    now, before = changed.value(ranking.scenario), ranking.ranked[0].name()
    return Crossover(changed.name, changed.unit, now, value, value / now, before, winner, previous)
