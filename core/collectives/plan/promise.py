"""What planned runs promise: how wide the interval will be once they are measured, surprises included."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.collectives.cost_model import Point, Setting, predict
from core.collectives.plan.targets import answered_width

OUTCOMES = (0.4, 0.3, 0.3)
"""Weights of a middle and of the ends of an interval (p10, p90): Swanson's mean of three quantiles."""


@dataclass(frozen=True, slots=True)
class Promise:
    """
    Points measured already and planned runs, by how these come out.

    Attributes:
        measured: Before any planned run.
        expected: Each run measures what is expected after those before it.
        low, high: Each run comes out at that end of the interval that it had before any of them.
    """

    measured: tuple[Point, ...]
    expected: tuple[Point, ...]
    low: tuple[Point, ...]
    high: tuple[Point, ...]

    def with_run(self, setting: Setting, size_bytes: float) -> "Promise":
        """One run more; ``expected[-1]`` is what it should measure."""
        before = predict(setting, [size_bytes], self.measured)
        after = predict(setting, [size_bytes], self.expected)
        middle, low, high = (
            Point(setting, size_bytes, float(times[0]))
            for times in (after.time_s, before.low_s, before.high_s)
        )
        return replace(
            self,
            expected=(*self.expected, middle),
            low=(*self.low, low),
            high=(*self.high, high),
        )

    def width(self, settings: Sequence[Setting]) -> float:
        """
        Mean ln(high / low) over curves and sizes.

        Inside a domain runs measure about what is expected. Across domains a cluster is often at an end of
        its interval, which leaves more: the mean over what its runs may measure.
        """
        inside = [item for item in settings if item.domains == 1]
        across = [item for item in settings if item.domains > 1]
        widths = [
            answered_width(inside, self.expected) if inside else 0.0,
            self._as_it_comes(across) if across else 0.0,
        ]
        return float(np.average(widths, weights=[len(inside), len(across)]))

    def _as_it_comes(self, settings: Sequence[Setting]) -> float:
        cases = (self.expected, self.low, self.high)
        return float(np.dot(OUTCOMES, [answered_width(settings, points) for points in cases]))


def promise_of(measured: tuple[Point, ...]) -> Promise:
    """Before any planned run."""
    return Promise(measured, measured, measured, measured)
