"""A Kineto trace as the job of one rank: its collectives, what computed beside them, its steps."""

from dataclasses import replace

import numpy as np

from core.errors import InputError
from core.traces.building import Call, collectives
from core.traces.group_table import GroupTable
from core.traces.json_text import Json, entries, integer, mapping, number, ranks, text
from core.traces.kineto.calls import arguments, call_of
from core.traces.kineto.columns import Columns, Kernels, floats, gathered, integers
from core.traces.kineto.cpu import cpu_rank
from core.traces.kineto.launches import Launches
from core.traces.kineto.steps import StepTable
from core.traces.names import named_rank
from core.traces.records import Floats, Integers, Job, RankTrace, Stream
from core.traces.spans import Spans, merged
from core.traces.unpacking import Source
from core.units import US

EPOCH_US = 1e15
"""Microseconds past which a time can only be the epoch's: the year 2001."""


def read_kineto(source: Source) -> Job:
    """
    The job as one file tells it.

    Raises:
        InputError: The file is no trace, cut short, or holds more than any job would.
    """
    columns = gathered(source)
    header = columns.header
    told = mapping(header.get("distributedInfo"))
    groups = GroupTable()
    for entry in entries(told.get("pg_config")):
        size = integer(entry.get("pg_size"))
        groups.number(
            text(entry.get("pg_name")),
            ranks(entry.get("ranks")),
            size if size > 0 else None,
            text(entry.get("pg_desc")),
        )
    rank = integer(told.get("rank"), named_rank(source.name))
    origin_us = _origin_us(columns)
    per_rank = _on_devices(columns, groups, rank, origin_us)
    if not per_rank:
        per_rank = [cpu_rank(columns, groups, rank, origin_us)]
    world = integer(told.get("world_size"))
    names = [trace.device_name for trace in per_rank if trace.device_name]
    return Job(
        format="kineto",
        ranks=tuple(replace(trace, source=source.name) for trace in per_rank),
        groups=groups.groups,
        world_size=world if world > 0 else None,
        device_name=names[0] if names else "",
        software=_software(header, told),
        origin_ns=_origin_ns(header, origin_us),
    )


def _on_devices(columns: Columns, groups: GroupTable, rank: int, origin_us: float) -> list[RankTrace]:
    """One trace a device that ran a collective; where none did, the device with most kernels."""
    devices = [_device_of(event) for event in columns.collectives]
    on = integers(columns.kernels.device)
    used = set(devices)
    if not used and on.size:
        numbers, counts = np.unique(on, return_counts=True)
        used = {int(numbers[counts.argmax()])}
    launches = Launches(columns)
    return [
        _Device(columns, launches, device, origin_us).trace(
            [event for event, place in zip(columns.collectives, devices, strict=True) if place == device],
            groups,
            rank,
        )
        for device in sorted(used)
    ]


class _Device:
    """The kernels, copies and steps of one device."""

    def __init__(self, columns: Columns, launches: Launches, device: int, origin_us: float) -> None:
        self._launches, self._device, self._origin_us = launches, device, origin_us
        self._header = columns.header
        self._start, self._end, self._stream, correlation = self._kernels(columns.kernels)
        self._launch = (launches.start_us(correlation) - origin_us) * US
        order = np.argsort(self._launch, kind="stable")
        order = order[np.isfinite(self._launch[order])]
        self._launched, self._launched_end = self._launch[order], self._end[order]
        copy_start, copy_end, _, _ = self._kernels(columns.copies)
        self._copies = merged(copy_start, copy_end)
        self._steps = StepTable(columns.ranges, origin_us)

    def trace(self, events: list[Json], groups: GroupTable, rank: int) -> RankTrace:
        """The device's trace with these collectives."""
        compute = merged(self._start, self._end)
        calls = [self._call(event, groups) for event in events]
        table = collectives(calls, compute)
        starts, ends = np.append(self._start, table.start_s), np.append(self._end, table.end_s)
        launches = np.append(self._launch, table.launch_s)
        if not (np.isfinite(starts).all() and np.isfinite(ends).all()):
            message = "a kernel's time is no finite number"
            raise InputError(message)
        unlaunched = int(np.isnan(table.launch_s).sum())
        return RankTrace(
            rank=rank,
            device=self._device,
            device_name=_device_name(self._header, self._device),
            start_s=float(np.min(np.append(starts, self._copies.start_s), initial=np.inf)),
            end_s=float(np.max(np.append(ends, self._copies.end_s), initial=-np.inf)),
            collectives=table,
            compute=compute,
            copies=self._copies,
            steps=self._steps.steps(launches, starts, ends),
            streams=self._streams(),
            kernels=len(starts),
            notes=_notes(len(calls), unlaunched, int((table.bytes_in < 0).sum())),
        )

    def _call(self, event: Json, groups: GroupTable) -> Call:
        launch = self._launches.of(integer(arguments(event).get("correlation")))
        call = call_of(event, launch, groups)
        start_s = (call.start_s - self._origin_us) * US
        launch_s = (call.launch_s - self._origin_us) * US
        return call._replace(
            start_s=start_s,
            duration_s=max(call.duration_s, 0.0) * US,
            launch_s=launch_s,
            producer_end_s=self._producer_end_s(launch_s, start_s),
            step=self._steps.index(launch_s),
        )

    def _producer_end_s(self, launch_s: float, start_s: float) -> float:
        """End of the last compute kernel that was launched before a call, never after the call began."""
        place = int(np.searchsorted(self._launched, launch_s)) - 1
        if place < 0 or np.isnan(launch_s):
            return float("nan")
        return min(float(self._launched_end[place]), start_s)

    def _kernels(self, kernels: Kernels) -> tuple[Floats, Floats, Integers, Integers]:
        here = integers(kernels.device) == self._device
        start = (floats(kernels.start_us)[here] - self._origin_us) * US
        end = start + np.maximum(floats(kernels.duration_us)[here], 0.0) * US
        stream = integers(kernels.stream)[here]
        return start, end, stream, integers(kernels.correlation)[here]

    def _streams(self) -> tuple[Stream, ...]:
        return tuple(
            Stream(int(number), self._merged(self._stream == number)) for number in np.unique(self._stream)
        )

    def _merged(self, rows: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]") -> Spans:
        return merged(self._start[rows], self._end[rows])


def _notes(calls: int, unlaunched: int, sizeless: int) -> tuple[str, ...]:
    notes = []
    if unlaunched:
        notes.append(
            f"{unlaunched} of {calls} collectives were launched outside the captured window: "
            "at most their kernel's name tells the operation."
        )
    if sizeless:
        notes.append(f"The trace does not tell the bytes of {sizeless} of {calls} collectives.")
    return tuple(notes)


def _device_of(event: Json) -> int:
    device = integer(arguments(event).get("device"))
    return device if device >= 0 else integer(event.get("pid"))


def _device_name(header: Json, device: int) -> str:
    listed = entries(header.get("deviceProperties"))
    for entry in listed:
        if integer(entry.get("id")) == device:
            return text(entry.get("name"))
    return text(listed[0].get("name")) if listed else ""


def _origin_us(columns: Columns) -> float:
    parts = (columns.kernels, columns.copies, columns.operators)
    firsts = [min(part.start_us) for part in parts if part.start_us]
    for events in (columns.collectives, columns.ranges):
        firsts += [number(event.get("ts"), float("inf")) for event in events]
    first = min(firsts, default=0.0)
    return float(int(first)) if np.isfinite(first) else 0.0


def _origin_ns(header: Json, origin_us: float) -> int:
    base_ns = integer(header.get("baseTimeNanoseconds"), 0)
    if base_ns > 0:
        return base_ns + int(origin_us) * 1000
    return int(origin_us) * 1000 if origin_us > EPOCH_US else 0


def _software(header: Json, told: Json) -> tuple[str, ...]:
    rocm = "hip_runtime_version" in header or "roctracer_version" in header
    version = text(told.get("nccl_version"))
    backend = text(told.get("backend"))
    named = f"{'RCCL' if rocm else 'NCCL'} {version}" if version else ""
    return tuple(part for part in (named, backend if not named else "") if part)
