"""All layouts of a ranking while one input changes: which is fastest, and where another becomes it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.calculators.layouts.inputs import Input
from core.calculators.layouts.repriced import Places, Repriced
from core.calculators.layouts.training_ranking import RankedLayout, first_of
from core.checks import Floats

FIRST_TRIED, MOST_AT_ONCE = 8, 32
"""Layouts computed at a place before others, and the most where it is known how short a step gets there."""
SLACK = 0.01
"""Share by which a step may be shorter than its bound, and its layout is computed all the same."""


@dataclass(slots=True)
class Race:
    """
    Layouts while one input of their links is multiplied by ``factor(place)``; place 0 is the current value.

    ``now_s`` is the step of every layout there.

    No layout is computed where it cannot win: as the input slows all of them down, none is faster than
    it was before; as it speeds them up, none is faster than it is at the last place.
    """

    layouts: Sequence[RankedLayout]
    repriced: Repriced
    changed: Input
    factor: Callable[[int], float]
    last: int
    now_s: Floats
    _least_s: Floats = field(init=False)
    _seconds: dict[int, Floats] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._seconds[0] = self._least_s = self.now_s
        if self._speeds_up:
            everyone = np.arange(len(self.layouts))
            self._seconds[self.last] = self._least_s = self._steps(everyone, self.last)

    def fastest(self, place: int) -> RankedLayout:
        """The fastest layout at a place."""
        seconds = self._at(place)
        return first_of(self.layouts, seconds)

    def first_other(self, near: int, far: int) -> int:
        """The place next to one at which the degrees of ``near`` win, where others do as at ``far``."""
        kind = self.fastest(near).kind
        for attempt in range(far):
            if far - near == 1:
                break
            middle = (near + far) // 2 if attempt % 3 == 2 else self._level(near, far)  # noqa: PLR2004
            if self.fastest(middle).kind == kind:
                near = middle
            else:
                far = middle
        return far

    @property
    def _speeds_up(self) -> bool:
        return (self.factor(self.last) > 1) == self.changed.speeds_up

    def _at(self, place: int) -> Floats:
        """Step time of every layout at a place; infinite for those that cannot win."""
        if place not in self._seconds:
            self._seconds[place] = self._contenders(place)
        return self._seconds[place]

    def _contenders(self, place: int) -> Floats:
        seconds, bound = np.full(len(self.layouts), np.inf), self._bound(place)
        first = np.flatnonzero(bound <= self._reached_s(place) * (1 + SLACK))
        if first.size > MOST_AT_ONCE:
            first = np.argsort(bound, kind="stable")[:FIRST_TRIED]
        seconds[first] = self._steps(first, place)
        rest = np.flatnonzero(np.isinf(seconds) & (bound < seconds.min() * (1 + SLACK)))
        if rest.size:
            seconds[rest] = self._steps(rest, place)
        return seconds

    def _reached_s(self, place: int) -> float:
        """Some step at a place is this short: the shortest of a place that is slower for all."""
        slower = [p for p in self._seconds if (p <= place if self._speeds_up else p >= place)]
        return min((float(self._seconds[known].min()) for known in slower), default=np.inf)

    def _bound(self, place: int) -> Floats:
        """No step at a place is shorter: what is known at the nearest place that is faster for all."""
        faster = [p for p in self._seconds if (p >= place if self._speeds_up else p <= place)]
        bound = self._least_s
        for known in sorted(faster, key=lambda p: -abs(p - place)):
            seconds = self._seconds[known]
            bound = np.where(np.isfinite(seconds), seconds, bound)
        return bound

    def _steps(self, places: Places, at: int) -> Floats:
        links = self.changed.scaled(self.layouts[0].scenario, self.factor(at))
        return self.repriced.steps_s(links, places)

    def _level(self, near: int, far: int) -> int:
        """A place between where the winners of both ends are about level."""
        first, other = (int(np.argmin(self._at(place))) for place in (near, far))
        with np.errstate(divide="ignore", invalid="ignore"):
            leads = [np.log(self._at(place)[other] / self._at(place)[first]) for place in (near, far)]
        middle = (near + far) / 2
        if np.all(np.isfinite(leads)) and leads[0] > leads[1]:
            middle = near + (far - near) * leads[0] / (leads[0] - leads[1])
        return int(min(max(round(middle), near + 1), far - 1))
