"""What a Kineto trace says of kernels, launches and ranges, gathered in columns as its events stream by."""

import re
from array import array
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.errors import InputError
from core.traces.json_text import Json, mapping
from core.traces.kineto.event_array import EventArray, event
from core.traces.names import is_collective_kernel
from core.traces.records import Floats, Integers
from core.traces.unpacking import Source

KERNELS_MOST = 20_000_000
PARSED_MOST = 1_000_000
TEXTS_MOST = 100_000
NAME_MOST = 4000

_CATEGORY = re.compile(rb'"cat"\s*:\s*"([^"]*)"')
_NAME = re.compile(rb'"name"\s*:\s*"((?:[^"\\]|\\.)*)"')
_RANGE = re.compile(
    rb'"name"\s*:\s*"(?:nccl:|rccl:|gloo:|mpi:|ucc:|xccl:|c10d::|record_param_comms|ProfilerStep#)'
)
_TS = re.compile(rb'"ts"\s*:\s*"?([-+.0-9eE]+)')
_DUR = re.compile(rb'"dur"\s*:\s*"?([-+.0-9eE]+)')
_DEVICE = re.compile(rb'"device"\s*:\s*"?(-?[0-9]{1,9})\b')
_STREAM = re.compile(rb'"stream"\s*:\s*"?(-?[0-9]{1,15})\b')
_CORRELATION = re.compile(rb'"correlation"\s*:\s*"?([0-9]{1,18})\b')
_PID = re.compile(rb'"pid"\s*:\s*("[^"]*"|-?[0-9]+)')
_TID = re.compile(rb'"tid"\s*:\s*("[^"]*"|-?[0-9]+)')

_KEYS = ("name", "pid", "tid", "ts", "dur")
_ARGUMENTS = (
    *("Collective name", "In msg nelems", "Out msg nelems", "dtype", "Group size"),
    *("Process Group Name", "Process Group Ranks", "Process Group Description"),
    *("device", "stream", "correlation", "Input Dims", "Input type", "Concrete Inputs"),
    *("Src Rank", "Dst Rank", "Seq", "Collective Seq", "seq", "Is asynchronized op", "Is async op"),
)
"""What of an event is looked at later; the rest would fill the memory."""

_KERNEL = ("kernel",)
_COPY = ("gpu_memcpy", "gpu_memset", "memcpy", "memset")
_LAUNCH = ("cuda_runtime", "cuda_driver", "hip_runtime", "runtime", "privateuse1_runtime", "xpu_runtime")
_CPU = ("cpu_op", "user_annotation", "operator")


def _doubles() -> "array[float]":
    return array("d")


def _integers() -> "array[int]":
    return array("q")


def floats(values: "array[float]") -> Floats:
    """A column as numpy sees it, without a copy."""
    return np.frombuffer(values, dtype=np.float64) if values else np.empty(0)


def integers(values: "array[int]") -> Integers:
    """As ``floats``, of whole numbers."""
    return np.frombuffer(values, dtype=np.int64) if values else np.empty(0, dtype=np.int64)


@dataclass(slots=True)
class Kernels:
    """Kernels of the trace: times in the trace's microseconds; -1 where a number is not told."""

    start_us: "array[float]" = field(default_factory=_doubles)
    duration_us: "array[float]" = field(default_factory=_doubles)
    device: "array[int]" = field(default_factory=_integers)
    stream: "array[int]" = field(default_factory=_integers)
    correlation: "array[int]" = field(default_factory=_integers)


@dataclass(slots=True)
class Columns:
    """
    All that is kept of a trace.

    Attributes:
        header: The file's keys beside the events.
        kernels: Compute kernels.
        collectives: Events of collective kernels, with the arguments that matter.
        copies: Copies and sets.
        launch_us, launch_thread, launch_correlation: Calls that launch kernels.
        ranges: CPU events that name a collective, likewise; steps of the profiler too.
        operators: Other operators on the CPU, start, duration and thread; only where there is no GPU.
        threads: Pairs of process and thread by their number in the columns.
    """

    header: Json
    kernels: Kernels = field(default_factory=Kernels)
    collectives: list[Json] = field(default_factory=list)
    copies: Kernels = field(default_factory=Kernels)
    launch_us: "array[float]" = field(default_factory=_doubles)
    launch_thread: "array[int]" = field(default_factory=_integers)
    launch_correlation: "array[int]" = field(default_factory=_integers)
    ranges: list[Json] = field(default_factory=list)
    operators: Kernels = field(default_factory=Kernels)
    threads: dict[tuple[bytes, bytes], int] = field(default_factory=dict)

    def thread(self, pid: object, tid: object) -> int:
        """The number of a thread, from its process and thread as the trace writes them."""
        key = (_written(pid), _written(tid))
        return self.threads.setdefault(key, len(self.threads))


def _written(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


class _Gathering:
    """Puts events where they belong, by their category."""

    def __init__(self, name: str, header: Json) -> None:
        self.columns = Columns(header)
        self._file = name
        self._known: dict[bytes, bool] = {}
        self._texts: dict[str, Any] = {}
        self._cpu_only = not header.get("deviceProperties")
        self._kinds = (
            dict.fromkeys(_KERNEL, self._kernel)
            | dict.fromkeys(_COPY, self._copy)
            | dict.fromkeys(_LAUNCH, self._launch)
            | dict.fromkeys(_CPU, self._cpu)
        )

    def take(self, bodies: list[bytes]) -> None:
        """Every event of a batch."""
        category_of, kinds = _CATEGORY.search, self._kinds
        handlers = {key.encode(): kind for key, kind in kinds.items()}
        for index, body in enumerate(bodies):
            category = category_of(body)
            if category is None:
                continue
            text = category.group(1)
            handler = handlers.get(text) or handlers.get(text.lower())
            if handler is not None:
                handler(bodies, index, body)

    def _kernel(self, bodies: list[bytes], index: int, body: bytes) -> None:
        name = _NAME.search(body)
        key = name.group(1)[:NAME_MOST] if name else b""
        collective = self._known.get(key)
        if collective is None:
            if len(self._known) > TEXTS_MOST:
                self._known.clear()
            collective = self._known[key] = is_collective_kernel(key.decode("utf-8", "replace"))
        if collective:
            self._keep(self.columns.collectives, bodies, index)
        else:
            self._times(self.columns.kernels, body)

    def _copy(self, _bodies: list[bytes], _index: int, body: bytes) -> None:
        self._times(self.columns.copies, body)

    def _times(self, kernels: Kernels, body: bytes) -> None:
        start, duration = _TS.search(body), _DUR.search(body)
        if start is None:
            message = f"{self._file}: an event without a time"
            raise InputError(message)
        device = _DEVICE.search(body) or _PID.search(body)
        stream, correlation = _STREAM.search(body) or _TID.search(body), _CORRELATION.search(body)
        kernels.start_us.append(self._float(start.group(1)))
        kernels.duration_us.append(self._float(duration.group(1)) if duration else 0.0)
        kernels.device.append(_whole(device))
        kernels.stream.append(_whole(stream))
        kernels.correlation.append(_whole(correlation))
        if len(kernels.start_us) > KERNELS_MOST:
            message = f"{self._file}: more than {KERNELS_MOST // 1_000_000} million kernels"
            raise InputError(message)

    def _launch(self, _bodies: list[bytes], _index: int, body: bytes) -> None:
        if b"aunch" not in body:
            return
        start, correlation = _TS.search(body), _CORRELATION.search(body)
        pid, tid = _PID.search(body), _TID.search(body)
        if start is None or correlation is None or pid is None or tid is None:
            return
        columns = self.columns
        columns.launch_us.append(self._float(start.group(1)))
        columns.launch_correlation.append(int(correlation.group(1)))
        columns.launch_thread.append(columns.thread(pid.group(1), tid.group(1)))

    def _cpu(self, bodies: list[bytes], index: int, body: bytes) -> None:
        if _RANGE.search(body):
            self._keep(self.columns.ranges, bodies, index)
        elif self._cpu_only and b'"cpu_op"' in body:
            self._times(self.columns.operators, body)

    def _keep(self, events: list[Json], bodies: list[bytes], index: int) -> None:
        if len(events) >= PARSED_MOST:
            message = f"{self._file}: more than {PARSED_MOST // 1_000_000} million collectives"
            raise InputError(message)
        value = event(bodies, index, self._file)
        if value.get("ph", "X") == "X":
            kept = {key: self._shared(value[key]) for key in _KEYS if key in value}
            args = mapping(value.get("args"))
            kept["args"] = {key: self._shared(args[key]) for key in _ARGUMENTS if key in args}
            events.append(kept)

    def _shared(self, value: Any) -> Any:
        """The value, a text or list that came before as the same object: of a million calls few differ."""
        if not isinstance(value, (str, list)) or len(self._texts) > TEXTS_MOST:
            return value
        return self._texts.setdefault(value if isinstance(value, str) else repr(value), value)

    def _float(self, text: bytes) -> float:
        try:
            return float(text)
        except ValueError as problem:
            message = f"{self._file}: a time of {text[:40].decode('ascii', 'replace')!r} is no number"
            raise InputError(message) from problem


def _whole(match: "re.Match[bytes] | None") -> int:
    text = match.group(1) if match else b""
    return int(text) if text.lstrip(b"-").isdigit() and len(text) < 18 else -1  # noqa: PLR2004 (fits 64 bits)


def gathered(source: Source) -> Columns:
    """
    The columns of a trace, read in one pass.

    Raises:
        InputError: The file is no trace, cut short, or holds more than any job would.
    """
    events = EventArray(source)
    gathering = _Gathering(source.name, events.header)
    for bodies in events.batches():
        gathering.take(bodies)
    gathering.columns.header = events.header
    return gathering.columns
