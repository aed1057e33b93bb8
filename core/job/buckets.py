"""Other gradient buckets: the same bytes, ready at the same moments of the backward pass, cut elsewhere."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.checks import Floats
from core.job.dependencies import Dependencies
from core.traces.records import Integers

MOST_BUCKETS = 2000
"""In one step: smaller buckets than that makes are not what anyone runs."""


def rebucketed(
    known: Dependencies,
    groups: Integers,
    size_bytes: Floats,
    duration_s: Floats,
    bucket_bytes: float,
    seconds_of: Callable[[int, Floats], Floats],
) -> tuple[Dependencies, Floats]:
    """
    The calls of a rank with its gradients in buckets of another size.

    Args:
        known: The rank's calls.
        groups: For each call the number of its set of buckets (one a step and kind of group); -1 for
            calls that are no gradient buckets and stay as they are.
        size_bytes: Of each call.
        duration_s: Of each call.
        bucket_bytes: The new size; the last bucket of a step takes what is left.
        seconds_of: Seconds of buckets of these sizes, given the index of a call of their kind.

    Returns:
        Dependencies and durations of the new calls.
    """
    parts = [_kept(known, duration_s, np.flatnonzero(groups < 0))]
    for number in range(int(groups.max(initial=-1)) + 1):
        rows = np.flatnonzero(groups == number)
        if rows.size:
            parts.append(_cut(known, rows, size_bytes[rows], bucket_bytes, seconds_of))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    ready, start, needed, window, stream, seconds, lag = (column[order] for column in columns)
    changed = replace(
        known,
        rows=np.arange(ready.size),
        ready_s=ready,
        start_s=start,
        duration_s=seconds,
        needed_s=needed,
        window_s=window,
        behind=_chained(stream),
        lag_s=lag,
        during=np.full(ready.size, -1, np.int64),
    )
    return changed, seconds


Columns = tuple[Floats, Floats, Floats, Floats, Floats, Floats, Floats]


def _chains(known: Dependencies) -> Integers:
    """The number of the queue that each call stands in."""
    chain = np.arange(known.start_s.size)
    for index, before in enumerate(known.behind.tolist()):
        if before >= 0:
            chain[index] = chain[before]
    return chain


def _kept(known: Dependencies, duration_s: Floats, rows: Integers) -> Columns:
    return (
        known.ready_s[rows],
        known.start_s[rows],
        known.needed_s[rows],
        known.window_s[rows],
        _chains(known)[rows].astype(np.float64),
        duration_s[rows],
        known.lag_s[rows],
    )


def _cut(
    known: Dependencies,
    rows: Integers,
    sizes: Floats,
    bucket_bytes: float,
    seconds_of: Callable[[int, Floats], Floats],
) -> Columns:
    """The buckets of one step, ready when the backward pass has made so many bytes."""
    made, total = np.cumsum(sizes), float(sizes.sum())
    ready = np.maximum.accumulate(known.ready_s[rows])
    begin = _begin(ready, sizes, known.begin_s)
    count = int(min(MOST_BUCKETS, max(1, np.ceil(total / bucket_bytes - 1e-9))))
    edges = np.minimum(total, np.arange(1, count + 1) * max(bucket_bytes, total / MOST_BUCKETS))
    new_sizes = np.diff(np.concatenate(([0.0], edges)))
    new_ready = np.interp(edges, np.concatenate(([0.0], made)), np.concatenate(([begin], ready)))
    queues = np.unique(_chains(known)[rows])
    return (
        new_ready,
        new_ready,
        np.full(count, float(known.needed_s[rows].max())),
        np.full(count, float(known.window_s[rows].max())),
        queues[np.arange(count) % queues.size].astype(np.float64),
        seconds_of(int(rows[0]), new_sizes),
        np.zeros(count),
    )


def _begin(ready: Floats, sizes: Floats, earliest_s: float) -> float:
    """When the backward pass began: from the rate at which it made the buckets after the first."""
    later = float(sizes[1:].sum())
    if later <= 0 or ready[-1] <= ready[0]:
        return float(ready[0])
    rate_s = (ready[-1] - ready[0]) / later
    return float(max(earliest_s, ready[0] - rate_s * sizes[0]))


def _chained(stream: Floats) -> Integers:
    """The call before each in its queue."""
    last: dict[float, int] = {}
    behind = np.full(stream.size, -1, np.int64)
    for index, queue in enumerate(stream.tolist()):
        behind[index] = last.get(queue, -1)
        last[queue] = index
    return behind
