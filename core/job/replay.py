"""A rank's timeline with other durations: calls start when their producers end, compute waits as it did."""

from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.job.dependencies import Dependencies
from core.traces.spans import Spans, merged

WAIT, LAUNCH = 0, 1
"""At one time compute first waits, then issues the next call."""


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """
    A new timeline of a rank.

    Attributes:
        start_s, end_s: Of each call, on a clock that begins at 0.
        stalls: When compute stood still for a call.
        total_s: Length of the timeline.
        exposed_s: Length of the stalls.
    """

    start_s: Floats
    end_s: Floats
    stalls: Spans
    total_s: float

    @property
    def exposed_s(self) -> float:
        """How long compute stood still for calls."""
        return self.stalls.total_s

    @property
    def exposed_share(self) -> float:
        """Of the whole timeline."""
        return self.exposed_s / self.total_s if self.total_s > 0 else 0.0


def replay(
    known: Dependencies, duration_s: Floats, compute_factor: float = 1.0, needed_s: Floats | None = None
) -> Replay:
    """
    The timeline with these durations and compute that takes ``compute_factor`` times as long.

    A call starts once compute has come as far as its producer and the call before it on its stream has
    ended. Where compute waited for it, it waits again, until the call has ended; a hidden call stays
    hidden until compute comes to where it is needed.

    Args:
        known: Of the trace.
        duration_s: New duration of each call, in the order of ``known``.
        compute_factor: On all time that is not waiting for calls.
        needed_s: Replaces ``known.needed_s``, for bounds.
    """
    needed = known.needed_s if needed_s is None else needed_s
    count = known.start_s.size
    ready = compute_factor * known.progress_s(known.ready_s)
    waits = compute_factor * known.progress_s(needed)
    times = np.concatenate([known.ready_s, needed])
    what = np.concatenate([np.full(count, LAUNCH), np.full(count, WAIT)])
    order = np.lexsort((np.tile(np.arange(count), 2), what, times))
    started, ended = np.zeros(count), np.zeros(count)
    stall_starts: list[float] = []
    stall_ends: list[float] = []
    behind_s = 0.0
    for event in order.tolist():
        index = event % count
        if event < count:
            started[index] = max(ready[index] + behind_s, *_earliest(known, index, started, ended))
            ended[index] = started[index] + duration_s[index]
            continue
        at = waits[index] + behind_s
        if ended[index] > at:
            stall_starts.append(at)
            stall_ends.append(float(ended[index]))
            behind_s += float(ended[index]) - at
    end = float(compute_factor * known.progress_s(np.array([known.end_s]))[0]) + behind_s
    return Replay(started, ended, merged(stall_starts, stall_ends), end)


def _earliest(known: Dependencies, index: int, started: Floats, ended: Floats) -> tuple[float, float]:
    """
    When the call before it on the stream lets a call start, and when the call that compute waits for does.

    A call that started while compute stood still for another starts again at that part of the other.
    """
    before, other = int(known.behind[index]), int(known.during[index])
    queued_s = float(ended[before] + known.lag_s[index]) if before >= 0 else 0.0
    if other < 0 or known.duration_s[other] <= 0:
        return queued_s, 0.0
    part = (known.start_s[index] - known.start_s[other]) / known.duration_s[other]
    return queued_s, float(started[other] + part * (ended[other] - started[other]))
