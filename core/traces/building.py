"""Collectives from calls one by one, with what a reader does not know left at its unknown value."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.traces.json_text import integer
from core.traces.labels import labels
from core.traces.records import Collectives, Floats, Integers
from core.traces.spans import Spans, covered_s

NAN = float("nan")


class Call(NamedTuple):
    """One call; fields as in ``Collectives``."""

    operation: str
    operation_source: str = "record"
    kernel: str = ""
    group: int = -1
    bytes_in: int = -1
    bytes_out: int = -1
    bytes_source: str = "none"
    dtype: str = ""
    start_s: float = NAN
    duration_s: float = NAN
    launch_s: float = NAN
    producer_end_s: float = NAN
    stream: int = -1
    step: int = -1
    sequence: int = -1
    peer: int = -1
    asynchronous: int = -1
    state: str = ""


def collectives(calls: Sequence[Call], compute: Spans | None = None) -> Collectives:
    """
    The columns of these calls, sorted by start where they have one.

    Args:
        calls: In order of issue.
        compute: What hides them; None where not known, which leaves ``exposed_s`` unknown.
    """
    ordered = (
        sorted(calls, key=lambda call: call.start_s) if all(_has_start(call) for call in calls) else calls
    )

    def floats(name: str) -> Floats:
        return np.array([getattr(call, name) for call in ordered], dtype=np.float64)

    def integers(name: str) -> Integers:
        # a size that takes more than 64 bits is not a real one: unknown
        return np.array([integer(getattr(call, name)) for call in ordered], dtype=np.int64)

    # libraries run a barrier as an all-reduce of one element that carries nothing
    is_barrier = np.array([call.operation == "barrier" for call in ordered], dtype=bool)
    start_s, duration_s = floats("start_s"), floats("duration_s")
    exposed_s = np.full(len(ordered), NAN)
    if compute is not None:
        exposed_s = duration_s - covered_s(start_s, start_s + duration_s, compute)
    return Collectives(
        operation=labels(call.operation for call in ordered),
        operation_source=labels(call.operation_source for call in ordered),
        kernel=labels(call.kernel for call in ordered),
        group=integers("group"),
        bytes_in=np.where(is_barrier, 0, integers("bytes_in")),
        bytes_out=np.where(is_barrier, 0, integers("bytes_out")),
        bytes_source=labels(call.bytes_source for call in ordered),
        dtype=labels(call.dtype for call in ordered),
        start_s=start_s,
        duration_s=duration_s,
        exposed_s=exposed_s,
        launch_s=floats("launch_s"),
        producer_end_s=floats("producer_end_s"),
        stream=integers("stream"),
        step=integers("step"),
        sequence=integers("sequence"),
        peer=integers("peer"),
        asynchronous=integers("asynchronous"),
        state=labels(call.state for call in ordered),
    )


def _has_start(call: Call) -> bool:
    return not math.isnan(call.start_s)
