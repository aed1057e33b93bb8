"""What a rank's timeline tells of dependencies: when each call may start, and what waits for it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.job.shares import step_edges
from core.traces.records import Integers, RankTrace
from core.traces.spans import Spans, covered_s, merged

Booleans = NDArray[np.bool_]

LEAST_STALL_S = 2e-6
LEAST_STALL_SHARE = 0.02
"""A call that ends in a gap of compute shorter than both ended there by chance: nothing waited for it."""
TOUCHING_S = 1e-9
QUEUED_WITHIN_S = 50e-6
"""A call that starts so soon after the one before it on its stream was queued behind it."""
PREFETCHED = ("all_gather", "all_to_all", "moe_dispatch", "moe_combine", "broadcast", "recv", "send_recv")
"""What compute soon needs: hidden, such a call has to end before the next of its kind begins."""


@dataclass(frozen=True, slots=True, eq=False)
class Dependencies:
    """
    The calls of a rank, in order of start, with what they wait for and what waits for them.

    Attributes:
        rows: Index of each into the rank's collectives: calls with times.
        ready_s: When its producer had ended, on the clock of the trace; at most its start.
        start_s, duration_s: As traced.
        needed_s: When compute waits for it, on the clock of the trace; at least its end.
        window_s: The latest that it might be needed, for the bound: the end of its step.
        behind: Index (here) of the call before it on its stream; -1 where there is none.
        lag_s: From the end of that call to its own start, where it was queued behind it; else 0.
        during: Index of the call that compute stood still for when it started; -1 where compute went on.
        stalls: When compute stood still for a call.
        end_s: Where the timeline ends; ``begin_s`` where it begins.
    """

    rows: Integers
    ready_s: Floats
    start_s: Floats
    duration_s: Floats
    needed_s: Floats
    window_s: Floats
    behind: Integers
    lag_s: Floats
    during: Integers
    stalls: Spans
    begin_s: float
    end_s: float

    def progress_s(self, times: Floats) -> Floats:
        """Seconds from the beginning to each time in which compute did not stand still for a call."""
        begins = np.full_like(times, self.begin_s)
        elapsed: Floats = times - begins - covered_s(begins, times, self.stalls)
        return elapsed


def dependencies(trace: RankTrace) -> Dependencies:
    """The dependencies that a rank's trace shows."""
    calls = trace.collectives
    rows = np.flatnonzero(np.isfinite(calls.start_s) & np.isfinite(calls.duration_s))
    rows = rows[np.argsort(calls.start_s[rows], kind="stable")]
    start_s, duration_s = calls.start_s[rows], calls.duration_s[rows]
    end_s = start_s + duration_s
    stall_s = _stall_starts(start_s, end_s, _gaps(trace))
    blocking = np.isfinite(stall_s)
    queue = _queue(trace, rows)
    needed_s, window_s = _needed(trace, rows, blocking)
    return Dependencies(
        rows=rows,
        ready_s=queue.ready_s,
        start_s=start_s,
        duration_s=duration_s,
        needed_s=needed_s,
        window_s=window_s,
        behind=queue.behind,
        lag_s=queue.lag_s,
        during=_during(start_s, stall_s, end_s, queue.queued),
        stalls=merged(stall_s[blocking], end_s[blocking]),
        begin_s=trace.start_s,
        end_s=trace.end_s,
    )


def _gaps(trace: RankTrace) -> Spans:
    """When no compute ran."""
    busy = trace.compute
    begins = np.concatenate(([trace.start_s], busy.end_s))
    ends = np.concatenate((busy.start_s, [trace.end_s]))
    return merged(begins[ends > begins], ends[ends > begins])


def _stall_starts(start_s: Floats, end_s: Floats, gaps: Spans) -> Floats:
    """
    When compute began to stand still for each call; infinite for one that it did not wait for.

    Compute waited for a call that ends in a gap of compute, unless it ran only a moment of that gap.
    """
    if not len(gaps):
        return np.full(start_s.size, np.inf)
    gap = np.maximum(np.searchsorted(gaps.start_s, end_s, side="left") - 1, 0)
    inside = (gaps.start_s[gap] < end_s) & (end_s <= gaps.end_s[gap] + TOUCHING_S)
    begins = np.maximum(start_s, gaps.start_s[gap])
    least_s = np.minimum(LEAST_STALL_S, LEAST_STALL_SHARE * (end_s - start_s))
    return np.where(inside & (end_s - begins > least_s), begins, np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class _Queue:
    """The call before each on its stream, and whether it waited for that call alone."""

    ready_s: Floats
    behind: Integers
    lag_s: Floats
    queued: Booleans


def _queue(trace: RankTrace, rows: Integers) -> _Queue:
    """
    When each call could have started, had the one before it on its stream ended.

    A call is queued where its producer had ended before that call did and it started right after it.
    Calls that overlap on one stream (threads of gloo) are not queued.
    """
    calls = trace.collectives
    start_s, end_s = calls.start_s[rows], calls.end_s[rows]
    known = np.fmax(calls.launch_s[rows], calls.producer_end_s[rows])
    ready_s = np.clip(np.where(np.isfinite(known), known, start_s), trace.start_s, start_s)
    behind, lag_s = np.full(rows.size, -1, np.int64), np.zeros(rows.size)
    queued = np.zeros(rows.size, bool)
    last: dict[int, int] = {}
    for index, number in enumerate(calls.stream[rows].tolist()):
        before = last.get(number, -1)
        last[number] = index
        if before >= 0 and end_s[before] <= start_s[index] + TOUCHING_S:
            behind[index] = before
            wait_s = max(0.0, start_s[index] - end_s[before])
            if ready_s[index] < end_s[before] and wait_s <= QUEUED_WITHIN_S:
                queued[index], lag_s[index] = True, wait_s
                ready_s[index] = max(ready_s[index], ready_s[before])
                continue
        ready_s[index] = start_s[index]
    return _Queue(ready_s, behind, lag_s, queued)


def _during(start_s: Floats, stall_s: Floats, end_s: Floats, queued: Booleans) -> Integers:
    """
    For each call that is not queued, the call in whose stall it started.

    ``stall_s``: when compute began to stand still for a call; infinite for one it did not wait for.
    """
    during = np.full(start_s.size, -1, np.int64)
    running: list[int] = []
    for index in range(start_s.size):
        running = [other for other in running if start_s[index] < end_s[other]]
        waited_for = [other for other in running if stall_s[other] <= start_s[index]]
        if waited_for and not queued[index]:
            during[index] = waited_for[-1]
        if np.isfinite(stall_s[index]):
            running.append(index)
    return during


def _needed(trace: RankTrace, rows: Integers, blocking: Booleans) -> tuple[Floats, Floats]:
    """When compute waits for each call: central estimate, and the latest that it might be."""
    calls = trace.collectives
    start_s, end_s = calls.start_s[rows], calls.end_s[rows]
    step_end_s = _step_ends(trace, end_s)
    needed_s, window_s = end_s.copy(), np.where(blocking, end_s, step_end_s)
    next_blocked: dict[int, float] = {}
    next_start: dict[tuple[int, str], float] = {}
    for index in range(rows.size - 1, -1, -1):
        stream = int(calls.stream[rows[index]])
        operation = calls.operation[int(rows[index])]
        if blocking[index]:
            next_blocked[stream] = end_s[index]
        else:
            latest = min(next_blocked.get(stream, np.inf), step_end_s[index])
            window_s[index] = max(end_s[index], latest)
            if operation in PREFETCHED:
                latest = min(latest, next_start.get((stream, operation), np.inf))
            needed_s[index] = max(end_s[index], latest)
        next_start[(stream, operation)] = start_s[index]
    return needed_s, window_s


def _step_ends(trace: RankTrace, end_s: Floats) -> Floats:
    """The end of the step in which each call ends; of the trace where no steps are marked."""
    edges = np.array([*step_edges(trace)[1:], trace.end_s])
    edges = np.maximum.accumulate(np.minimum(edges, trace.end_s))
    later = edges[np.minimum(np.searchsorted(edges, end_s, side="left"), edges.size - 1)]
    ends: Floats = np.maximum(later, end_s)
    return ends
