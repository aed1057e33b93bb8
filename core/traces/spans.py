"""Spans of time as sorted, disjoint intervals, with their union, overlap and length."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """
    Intervals of time on one clock.

    Attributes:
        start_s, end_s: Seconds since the job's origin, of equal length, sorted by start. ``merged``
            makes them disjoint; the steps of a trace are kept as the profiler names them.
    """

    start_s: Floats
    end_s: Floats

    def __len__(self) -> int:
        """How many intervals."""
        return len(self.start_s)

    @property
    def total_s(self) -> float:
        """Sum of the lengths in seconds."""
        return float(np.sum(self.end_s - self.start_s))


EMPTY = Spans(np.empty(0), np.empty(0))


def merged(start_s: ArrayLike, end_s: ArrayLike) -> Spans:
    """The union of intervals in any order: sorted, disjoint, touching ones joined."""
    start, end = np.asarray(start_s, dtype=np.float64), np.asarray(end_s, dtype=np.float64)
    if start.size == 0:
        return EMPTY
    order = np.argsort(start, kind="stable")
    start, reach = start[order], np.maximum.accumulate(end[order])
    opens = np.concatenate(([True], start[1:] > reach[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return Spans(start[opens], reach[closes])


def union(*parts: Spans) -> Spans:
    """The union of several sets of spans."""
    if not parts:
        return EMPTY
    return merged(
        np.concatenate([part.start_s for part in parts]), np.concatenate([part.end_s for part in parts])
    )


def covered_s(start_s: ArrayLike, end_s: ArrayLike, by: Spans) -> Floats:
    """Seconds of each interval that the disjoint spans ``by`` cover."""
    start, end = np.asarray(start_s, dtype=np.float64), np.asarray(end_s, dtype=np.float64)
    if len(by) == 0:
        return np.zeros_like(start)
    before = np.concatenate(([0.0], np.cumsum(by.end_s - by.start_s)))

    def up_to(time: Floats) -> Floats:
        index = np.searchsorted(by.start_s, time, side="right")
        inside = np.where(index > 0, np.maximum(by.end_s[np.maximum(index, 1) - 1] - time, 0.0), 0.0)
        covered: Floats = before[index] - inside
        return covered

    return np.maximum(up_to(end) - up_to(start), 0.0)


def without(these: Spans, those: Spans) -> Spans:
    """What remains of disjoint spans ``these`` outside disjoint spans ``those``."""
    edges = np.concatenate((these.start_s, these.end_s, those.start_s, those.end_s))
    step = np.repeat([1, -1, -2, 2], [len(these), len(these), len(those), len(those)])
    order = np.argsort(edges, kind="stable")
    edges, level = edges[order], np.cumsum(step[order])
    remains = (level[:-1] == 1) & (edges[1:] > edges[:-1])
    return merged(edges[:-1][remains], edges[1:][remains])
