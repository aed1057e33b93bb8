"""Which CPU range launched a collective kernel: from its correlation to its launch to the range around it."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from core.traces.json_text import Json, number, text
from core.traces.kineto.columns import Columns, floats, integers
from core.traces.records import Floats, Integers

NESTED_MOST = 64
_COMMUNICATION = ("nccl:", "rccl:", "gloo:", "mpi:", "ucc:", "xccl:")
_BACKEND = "c10d::"
_RECORD = "record_param_comms"


@dataclass(frozen=True, slots=True)
class Launch:
    """
    How a collective kernel was issued.

    Attributes:
        start_us: When the CPU launched the kernel; NaN unknown.
        issued_us: When its outermost range began, else as ``start_us``.
        communication: The innermost range such as ``nccl:all_reduce`` around the launch; None where none.
        backend: The innermost ``c10d::`` operator around it; None where none.
        record: The innermost ``record_param_comms`` around it, with its arguments; None where none.
        thread: Number of the launching thread; -1 unknown.
    """

    start_us: float
    issued_us: float
    communication: Json | None = None
    backend: Json | None = None
    record: Json | None = None
    thread: int = -1


UNKNOWN = Launch(float("nan"), float("nan"))


class Launches:
    """Finds the launch of a kernel and the ranges around it."""

    def __init__(self, columns: Columns) -> None:
        correlation = integers(columns.launch_correlation)
        order = np.argsort(correlation, kind="stable")
        self._correlation: Integers = correlation[order]
        self._start_us: Floats = floats(columns.launch_us)[order]
        self._thread: Integers = integers(columns.launch_thread)[order]
        ranges: dict[int, list[Json]] = defaultdict(list)
        for entry in columns.ranges:
            ranges[columns.thread(entry.get("pid"), entry.get("tid"))].append(entry)
        self._ranges = {thread: sorted(entries, key=_start) for thread, entries in ranges.items()}
        self._starts = {
            thread: np.array([_start(entry) for entry in entries]) for thread, entries in self._ranges.items()
        }

    def start_us(self, correlation: Integers) -> Floats:
        """When the CPU launched kernels with these correlations; NaN where no launch was recorded."""
        if self._correlation.size == 0:
            return np.full(correlation.shape, np.nan)
        place = np.minimum(np.searchsorted(self._correlation, correlation), self._correlation.size - 1)
        known = (self._correlation[place] == correlation) & (correlation > 0)
        return np.where(known, self._start_us[place], np.nan)

    def of(self, correlation: int) -> Launch:
        """The launch of one kernel."""
        place = int(np.searchsorted(self._correlation, correlation))
        if correlation <= 0 or place >= self._correlation.size or self._correlation[place] != correlation:
            return UNKNOWN
        return self.around(float(self._start_us[place]), int(self._thread[place]))

    def around(self, time_us: float, thread: int) -> Launch:
        """The ranges open on a thread at a time, innermost of each kind."""
        found: dict[str, Json] = {}
        issued_us = time_us
        entries = self._ranges.get(thread, [])
        last = int(np.searchsorted(self._starts[thread], time_us, side="right")) if entries else 0
        for entry in reversed(entries[max(last - NESTED_MOST, 0) : last]):
            start_us = _start(entry)
            if start_us + number(entry.get("dur"), 0.0) < time_us:
                continue
            kind = _kind(text(entry.get("name")))
            if kind:
                found.setdefault(kind, entry)
                issued_us = min(issued_us, start_us)
        return Launch(
            time_us, issued_us, found.get("communication"), found.get("backend"), found.get("record"), thread
        )


def _start(entry: Json) -> float:
    return number(entry.get("ts"), 0.0)


def _kind(name: str) -> str:
    if name.startswith(_COMMUNICATION):
        return "communication"
    if name.startswith(_BACKEND):
        return "backend"
    return "record" if name == _RECORD else ""
