"""A trace without a GPU: gloo's ranges as collectives, operators on the CPU as compute."""

from collections import defaultdict

import numpy as np

from core.traces.building import Call, collectives
from core.traces.group_table import GroupTable
from core.traces.json_text import Json, integer, number, text
from core.traces.kineto.calls import arguments, asynchronous, group_of, volume_of
from core.traces.kineto.columns import Columns, floats, integers
from core.traces.kineto.launches import Launch
from core.traces.kineto.steps import StepTable
from core.traces.names import operation, peer
from core.traces.records import Floats, RankTrace, Stream
from core.traces.spans import merged, without
from core.units import US

_BACKENDS = ("gloo:", "mpi:", "ucc:")


def cpu_rank(columns: Columns, groups: GroupTable, rank: int, origin_us: float) -> RankTrace:
    """
    The rank as its CPU shows it; without any collective where the trace has no gloo range.

    Operators count as compute, except the calls into the communication library. A collective hides
    behind them because it runs on a thread of its own.
    """
    steps = StepTable(columns.ranges, origin_us)
    ranges = sorted(_named(columns, _BACKENDS), key=_start_us)
    issuers = sorted(_named(columns, ("c10d::",)), key=_start_us)
    start = (floats(columns.operators.start_us) - origin_us) * US
    end = start + np.maximum(floats(columns.operators.duration_us), 0.0) * US
    compute = without(merged(start, end), merged(*_times(issuers, origin_us)))
    calls = [
        _call(entry, Launch(*_issued(issuer, entry), entry, issuer), groups, origin_us)
        for entry, issuer in _paired(ranges, issuers)
    ]
    table = collectives([call._replace(step=steps.index(call.launch_s)) for call in calls], compute)
    every_start, every_end = np.append(start, table.start_s), np.append(end, table.end_s)
    thread = integers(columns.operators.stream)
    return RankTrace(
        rank=rank,
        device=-1,
        device_name="",
        start_s=float(every_start.min()) if every_start.size else float("nan"),
        end_s=float(every_end.max()) if every_end.size else float("nan"),
        collectives=table,
        compute=compute,
        steps=steps.steps(every_start, every_start, every_end),
        streams=tuple(
            Stream(int(number_), merged(start[thread == number_], end[thread == number_]))
            for number_ in np.unique(thread)
        ),
        notes=("The trace has no GPU kernel: compute and collectives are those of the CPU.",),
    )


def _call(entry: Json, launch: Launch, groups: GroupTable, origin_us: float) -> Call:
    name = text(entry.get("name"))
    kind = operation(name)
    group = group_of(arguments(entry), launch, groups)
    volume = volume_of(kind, {}, launch, groups.size(group))
    launch_s = (launch.issued_us - origin_us) * US
    return Call(
        operation=kind,
        operation_source="launching range",
        kernel=name,
        group=group,
        bytes_in=volume.bytes_in,
        bytes_out=volume.bytes_out,
        bytes_source=volume.source,
        dtype=volume.dtype,
        start_s=(_start_us(entry) - origin_us) * US,
        duration_s=max(number(entry.get("dur"), 0.0), 0.0) * US,
        launch_s=launch_s,
        producer_end_s=launch_s,
        stream=integer(entry.get("tid")),
        peer=groups.member(group, peer(name)),
        asynchronous=asynchronous({}, launch),
    )


def _paired(ranges: list[Json], issuers: list[Json]) -> list[tuple[Json, Json | None]]:
    """Each range with the operator that issued it: the library takes calls of a kind in their order."""
    waiting: dict[str, list[Json]] = defaultdict(list)
    for issuer in reversed(issuers):
        waiting[operation(text(issuer.get("name")))].append(issuer)
    pairs: list[tuple[Json, Json | None]] = []
    for entry in ranges:
        queue = waiting[operation(text(entry.get("name")))]
        issued = bool(queue) and _start_us(queue[-1]) <= _start_us(entry)
        pairs.append((entry, queue.pop() if issued else None))
    return pairs


def _issued(issuer: Json | None, entry: Json) -> tuple[float, float]:
    start_us = _start_us(issuer if issuer is not None else entry)
    return start_us, start_us


def _named(columns: Columns, prefixes: tuple[str, ...]) -> list[Json]:
    return [entry for entry in columns.ranges if text(entry.get("name")).startswith(prefixes)]


def _times(events: list[Json], origin_us: float) -> tuple[Floats, Floats]:
    start = np.array([_start_us(entry) - origin_us for entry in events]) * US
    length = np.array([max(number(entry.get("dur"), 0.0), 0.0) for entry in events]) * US
    return start, start + length


def _start_us(entry: Json) -> float:
    return number(entry.get("ts"), 0.0)
