"""What a serving benchmark prints of a latency: mean, median, 90th and 99th percentile."""

from dataclasses import dataclass

import numpy as np

from core.checks import Floats


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Seconds: the mean, the median and the tail."""

    mean_s: float
    p50_s: float
    p90_s: float
    p99_s: float

    @property
    def values(self) -> tuple[float, ...]:
        """Mean to 99th percentile."""
        return self.mean_s, self.p50_s, self.p90_s, self.p99_s


@dataclass(frozen=True, slots=True)
class Spread:
    """Percentiles as expected, and both ends of the interval of each."""

    expected: Percentiles
    low: Percentiles
    high: Percentiles


SHARES = (0.5, 0.9, 0.99)


def percentiles(seconds: Floats, counts: Floats | None = None) -> Percentiles | None:
    """Of so many values, each as often as counted; None of none."""
    often = np.ones_like(seconds) if counts is None else counts
    if not often.sum():
        return None
    order = np.argsort(seconds)
    held = np.cumsum(often[order]) / often.sum()
    at = np.minimum(np.searchsorted(held, SHARES), seconds.size - 1)
    mean = float(np.average(seconds, weights=often))
    return Percentiles(mean, *(float(value) for value in seconds[order][at]))


def spread(expected: Percentiles, others: list[Percentiles]) -> Spread:
    """The lowest and highest of all, percentile by percentile."""
    rows = np.array([each.values for each in (expected, *others)])
    low, high = (Percentiles(*map(float, ends)) for ends in (rows.min(0), rows.max(0)))
    return Spread(expected, low, high)
