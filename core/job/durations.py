"""Durations of a rank's calls elsewhere: traced time, times expected there over expected here."""

from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.job.dependencies import Dependencies
from core.job.prices import Prices
from core.traces.records import Integers


@dataclass(frozen=True, slots=True, eq=False)
class Durations:
    """Seconds of each call: central, and the bounds of its interval."""

    central_s: Floats
    low_s: Floats
    high_s: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Ratios:
    """
    Expected there over expected here, by kind of call; 1 where nothing is expected.

    Attributes:
        ratio, low, high: Estimate and its interval.
        here_high_s: Upper end of what is expected here, infinite where unknown; what lies above may be wait.
        unpriced: Indices of the kinds that the model has nothing to say of: they keep their time.
    """

    ratio: Floats
    low: Floats
    high: Floats
    here_high_s: Floats
    unpriced: tuple[int, ...]

    def only(self, kinds: set[int]) -> "Ratios":
        """These of the kinds named, 1 for all others."""
        chosen = np.array([index in kinds for index in range(self.ratio.size)], bool)
        ratio, low, high = (np.where(chosen, column, 1.0) for column in (self.ratio, self.low, self.high))
        return Ratios(ratio, low, high, self.here_high_s, self.unpriced)


def ratios(here: Prices, there: Prices) -> Ratios:
    """The ratio of each kind; exactly 1 with no interval where both prices are the same."""
    known = np.isfinite(here.time_s) & np.isfinite(there.time_s) & (here.time_s > 0)
    same = known & (here.time_s == there.time_s) & (here.high_s == there.high_s)
    base = np.where(known, here.time_s, 1.0)

    def over(column: Floats) -> Floats:
        values: Floats = np.where(known & ~same, np.where(known, column, 1.0) / base, 1.0)
        return values

    return Ratios(
        ratio=over(there.time_s),
        low=over(there.low_s),
        high=over(there.high_s),
        here_high_s=np.where(np.isfinite(here.high_s), here.high_s, np.inf),
        unpriced=tuple(np.flatnonzero(~known).tolist()),
    )


def durations(
    known: Dependencies, kinds: Integers, wire_s: Floats, change: Ratios, compute_factor: float
) -> Durations:
    """
    New durations of a rank's calls.

    Args:
        known: The rank's calls.
        kinds: The kind of each.
        wire_s: Its part on the wire; NaN where it cannot be told: then all of it is taken for wire, and
            what lies above the expected interval for waiting in the other bound.
        change: Ratios by kind.
        compute_factor: What waiting for other ranks is scaled by, as it comes from their compute.
    """
    told = np.isfinite(wire_s)
    wire = np.where(told, wire_s, known.duration_s)
    waiting = known.duration_s - wire
    less = np.where(told, wire, np.minimum(wire, change.here_high_s[kinds]))
    more_waiting = known.duration_s - less

    def at(ratio: Floats, on_wire: Floats, waited: Floats) -> Floats:
        seconds: Floats = on_wire * ratio[kinds] + waited * compute_factor
        return seconds

    bounds = [
        at(ratio, *parts)
        for ratio in (change.low, change.high)
        for parts in ((wire, waiting), (less, more_waiting))
    ]
    return Durations(at(change.ratio, wire, waiting), np.min(bounds, axis=0), np.max(bounds, axis=0))
