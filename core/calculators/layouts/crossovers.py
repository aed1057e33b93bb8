"""Crossovers of training: the value of each input at which another layout becomes the fastest."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from core.calculators.layouts.digits import place_of, value_at
from core.calculators.layouts.inputs import INPUTS, Input
from core.calculators.layouts.race import Race
from core.calculators.layouts.repriced import Repriced
from core.calculators.layouts.training_ranking import RankedLayout, Ranking, fastest
from core.checks import InputError
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
    repriced = cache(lambda: Repriced.of([layout.scenario for layout in ranking.layouts]))
    return tuple(
        partial(_of_batch, ranking, changed, up=up)
        if changed.speeds_up is None
        else partial(_of_links, ranking, repriced, changed, up=up)
        for changed, up in changes
    )


def _of_links(
    ranking: Ranking, repriced: Callable[[], Repriced], changed: Input, *, up: bool
) -> Crossover | None:
    """The first crossover of a rate or latency, in steps of its third digit."""
    now = changed.value(ranking.scenario)
    start, sign = place_of(now), 1 if up else -1
    octaves = [abs(place_of(now * 2.0 ** (sign * octave)) - start) for octave in OCTAVES]

    def factor(place: int) -> float:
        return value_at(start + sign * place) / now if place else 1.0

    race = Race(ranking.layouts, repriced(), changed, factor, octaves[-1])
    for near, far in pairwise(octaves):
        if race.fastest(far).kind != ranking.ranked[0].kind:
            place = race.first_other(near, far)
            return _crossover(
                ranking, changed, value_at(start + sign * place), now * factor(place - 1), race.fastest(place)
            )
    return None


def _of_batch(ranking: Ranking, changed: Input, *, up: bool) -> Crossover | None:
    """The first crossover of the global batch size, the whole question asked at each size tried."""
    near, winner = ranking.scenario.global_batch, ranking.ranked[0]
    for far in _doublings(near, up=up):
        other = _fastest(ranking, far)
        if other is None:
            return None
        if other.kind != winner.kind:
            return _nearer(ranking, changed, _Bracket(near, far, other))
        near = far
    return None


@dataclass(frozen=True, slots=True)
class _Bracket:
    """Two sizes: the current degrees win at ``near``, another layout at ``far``."""

    near: int
    far: int
    other: RankedLayout


def _doublings(batch: int, *, up: bool) -> Iterator[int]:
    for octave in range(1, DOUBLINGS + 1):
        if up:
            yield batch << octave
        elif batch % (1 << octave) == 0:
            yield batch >> octave


def _nearer(ranking: Ranking, changed: Input, bracket: _Bracket) -> Crossover:
    """The bracket halved until its ends are an eighth of the smaller one apart, or do not divide further."""
    near, far, other = bracket.near, bracket.far, bracket.other
    least = max(1, min(near, far) // EIGHTHS)
    while abs(far - near) > least and (far - near) % 2 == 0:
        middle = (near + far) // 2
        winner = _fastest(ranking, middle)
        if winner is not None and winner.kind == ranking.ranked[0].kind:
            near = middle
        elif winner is not None:
            far, other = middle, winner
        else:
            break
    return _crossover(ranking, changed, float(far), float(near), other)


def _fastest(ranking: Ranking, batch: int) -> RankedLayout | None:
    """The fastest layout at another global batch size; None where nothing fits."""
    try:
        return fastest(ranking.at_batch(batch), ranking.gpus, ranking.limits)
    except InputError:
        return None


def _crossover(
    ranking: Ranking, changed: Input, value: float, previous: float, winner: RankedLayout
) -> Crossover:
    now, before = changed.value(ranking.scenario), ranking.ranked[0].name()
    return Crossover(changed.name, changed.unit, now, value, value / now, before, winner.name(), previous)
