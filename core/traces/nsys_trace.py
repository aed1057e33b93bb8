"""Every kernel with its time, as ``nsys stats`` prints ``cuda_gpu_trace`` and ``cuda_kern_exec_trace``."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.json_text import integer
from core.traces.names import is_collective_kernel, kernel_operation, named_rank
from core.traces.nsys import NAME_MOST, column, seconds, unit
from core.traces.records import Job, RankTrace, Stream
from core.traces.spans import merged
from core.traces.tables import Row, streamed
from core.traces.unpacking import Source

KERNELS_MOST = 20_000_000
_FORMS = (
    {"Start": "start", "Duration": "duration", "CorrId": "", "Name": "name"},
    {"Kernel Start": "start", "Kernel Dur": "duration", "Kernel Name": "name", "API Start": "launch"},
)
_PLACES = {"Device": "device", "DevId": "device", "Strm": "stream"}
_DEVICE = re.compile(r"(.{0,200}?)\s*\((\d{1,4})\)")


def is_header(cells: list[str]) -> bool:
    """Whether these are the columns of a table of single kernels, not those of calls on the CPU."""
    named = {column(cell) for cell in cells}
    return any(named >= form.keys() for form in _FORMS) and "Result" not in named


@dataclass(frozen=True, slots=True)
class _Columns:
    """Names of the columns that are read, "" where there is none."""

    start: str
    duration: str
    name: str
    launch: str = ""
    device: str = ""
    stream: str = ""


@dataclass
class _Device:
    """What ran on one device, by stream; seconds as the report counts them."""

    name: str
    calls: list[Call] = field(default_factory=list)
    compute: dict[int, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    copies: list[tuple[float, float]] = field(default_factory=list)


def read_nsys_trace(source: Source) -> Job:
    """
    Kernels, copies and collectives of each device, in time; a device is a rank of its own.

    Raises:
        InputError: A time has no known unit, or no row is a kernel.
    """
    devices: dict[int, _Device] = {}
    table = streamed(source, is_header)
    first = next(table)
    columns = _columns(first)
    needed = {columns.start, columns.duration, columns.name}
    for count, row in enumerate(_chained(first, table)):
        if count >= KERNELS_MOST:
            message = f"{source.name}: more than {KERNELS_MOST // 1_000_000} million kernels"
            raise InputError(message)
        # a list may hold a second report, whose rows name their columns otherwise
        if row.keys() >= needed:
            _take(row, columns, devices, source.name)
    if not any(device.calls or device.compute for device in devices.values()):
        message = f"{source.name}: a table of GPU work without kernels"
        raise InputError(message)
    origin_s = min(_first_s(device) for device in devices.values())
    rank = named_rank(source.name)
    notes = ["A table of kernels tells no bytes, groups or steps."]
    if len(devices) > 1:
        notes.append("The report tells no ranks: they are numbered as its devices are.")
    traces = tuple(
        _rank(number, device, number if len(devices) > 1 else rank, origin_s, source.name)
        for number, device in sorted(devices.items())
    )
    name = next((device.name for device in devices.values() if device.name), "")
    return Job("nsys-trace", traces, device_name=name, notes=tuple(notes))


def _chained(first: Row, rest: Iterator[Row]) -> Iterator[Row]:
    yield first
    yield from rest


def _columns(row: Row) -> _Columns:
    plain = {column(name): name for name in row}
    form = next(form for form in _FORMS if plain.keys() >= form.keys())
    known = {meaning: plain[name] for name, meaning in form.items() if meaning}
    return _Columns(**known | {meaning: plain[name] for name, meaning in _PLACES.items() if name in plain})


def _take(row: Row, columns: _Columns, devices: dict[int, _Device], name: str) -> None:
    """One row into its device; one without a length is passed over, as of work that never ended."""
    if not row[columns.duration]:
        return
    start_s = seconds(row[columns.start], unit(columns.start), name)
    length_s = seconds(row[columns.duration], unit(columns.duration), name)
    number, device_name = _device(row.get(columns.device, ""))
    device = devices.setdefault(number, _Device(device_name))
    stream, kernel = integer(row.get(columns.stream)), row[columns.name][:NAME_MOST]
    if kernel.startswith("[CUDA "):
        device.copies.append((start_s, start_s + length_s))
    elif is_collective_kernel(kernel):
        launch = row.get(columns.launch, "")
        device.calls.append(
            Call(
                kernel_operation(kernel),
                "kernel name" if kernel_operation(kernel) != "unknown" else "none",
                kernel,
                start_s=start_s,
                duration_s=length_s,
                launch_s=seconds(launch, unit(columns.launch), name) if launch else NAN,
                stream=stream,
            )
        )
    else:
        device.compute[stream].append((start_s, start_s + length_s))


def _device(text: str) -> tuple[int, str]:
    """Number and name of a device, as ``NVIDIA H100 (3)`` or ``3``."""
    match = _DEVICE.fullmatch(text)
    return (int(match.group(2)), match.group(1)) if match else (integer(text, 0), "")


def _first_s(device: _Device) -> float:
    spans = [*device.copies, *(span for own in device.compute.values() for span in own)]
    starts = [start for start, _ in spans] + [call.start_s for call in device.calls]
    return min(starts)


def _rank(number: int, device: _Device, rank: int, origin_s: float, name: str) -> RankTrace:
    calls = [
        call._replace(start_s=call.start_s - origin_s, launch_s=call.launch_s - origin_s)
        for call in device.calls
    ]
    streams = {
        stream: np.array(spans, dtype=np.float64).reshape(-1, 2) - origin_s
        for stream, spans in sorted(device.compute.items())
    }
    kernels = np.concatenate([np.empty((0, 2)), *streams.values()])
    copies = np.array(device.copies, dtype=np.float64).reshape(-1, 2) - origin_s
    compute = merged(kernels[:, 0], kernels[:, 1])
    table = collectives(calls, compute)
    return RankTrace(
        rank=rank,
        device=number,
        device_name=device.name,
        start_s=float(min(np.append(kernels[:, 0], [*table.start_s, *copies[:, 0]]))),
        end_s=float(max(np.append(kernels[:, 1], [*table.end_s, *copies[:, 1]]))),
        collectives=table,
        compute=compute,
        copies=merged(copies[:, 0], copies[:, 1]),
        streams=tuple(Stream(stream, merged(spans[:, 0], spans[:, 1])) for stream, spans in streams.items()),
        kernels=len(kernels) + len(calls),
        source=name,
    )
