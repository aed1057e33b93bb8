"""A traced job as JSON and back: the collectives and what hid them, far smaller than the trace."""

import math
from dataclasses import fields
from typing import Any, NoReturn

import numpy as np

from core.errors import InputError
from core.traces.json_text import Json, entries, integer, load, mapping, number, ranks, text
from core.traces.labels import Labels
from core.traces.records import (
    FORMATS,
    JOB_FORMAT_VERSION,
    OPERATIONS,
    Collectives,
    Floats,
    Group,
    GroupProgress,
    Job,
    RankTrace,
    Step,
    Stream,
    SummaryRow,
)
from core.traces.spans import Spans
from core.traces.unpacking import Source

KEY = "wirespeed_job"
ROWS_MOST = 3_000_000
LIST_MOST = 200_000
TIME_MOST_S = 1e9
ROUNDING_S = 1e-6
"""A difference of times may come out so much below 0."""

_LABELS = ("operation", "operation_source", "kernel", "bytes_source", "dtype", "state")
_LENGTHS = ("duration_s", "exposed_s")
_FLOATS = ("start_s", "launch_s", "producer_end_s")


def is_job_file(head: bytes) -> bool:
    """Whether a file begins as ``job_to_json`` writes it."""
    return f'"{KEY}"'.encode() in head[:40]


def job_to_json(job: Job) -> Json:
    """One job as plain JSON values in SI units; what is not known is null or -1."""
    return {
        KEY: JOB_FORMAT_VERSION,
        "format": job.format,
        "world_size": job.world_size,
        "device_name": job.device_name,
        "software": list(job.software),
        "origin_ns": job.origin_ns,
        "summary_kernels_s": _plain(job.summary_kernels_s),
        "notes": list(job.notes),
        "groups": [_row(group) for group in job.groups],
        "summary": [_row(row) for row in job.summary],
        "ranks": [_rank(trace) for trace in job.ranks],
    }


def read_job_file(source: Source) -> Job:
    """
    The job of a file that ``job_to_json`` made.

    Raises:
        InputError: It is none, of another version, or its columns do not fit together.
    """
    return job_from_json(load(source), source.name)


def job_from_json(value: Any, name: str = "job") -> Job:
    """
    One job from ``job_to_json``'s form.

    Raises:
        InputError: As ``read_job_file``.
    """
    told = mapping(value)
    if told.get(KEY) != JOB_FORMAT_VERSION or told.get("format") not in FORMATS:
        _refuse(name, f"a job file of version {JOB_FORMAT_VERSION} is read")
    groups = tuple(
        Group(
            text(one.get("name")),
            ranks(one.get("ranks")),
            _positive(one.get("size")),
            text(one.get("description")),
        )
        for one in _listed(told.get("groups"), "groups", name)
    )
    world = _positive(told.get("world_size"))
    return Job(
        format=text(told["format"]),
        ranks=tuple(_rank_from(one, len(groups), name) for one in _listed(told.get("ranks"), "ranks", name)),
        groups=groups,
        summary=tuple(
            _summary_from(one, len(groups), name) for one in _listed(told.get("summary"), "summary", name)
        ),
        summary_kernels_s=number(told.get("summary_kernels_s")),
        world_size=world,
        device_name=text(told.get("device_name")),
        software=_texts(told.get("software")),
        origin_ns=max(integer(told.get("origin_ns"), 0), 0),
        notes=_texts(told.get("notes")),
    )


def _rank(trace: RankTrace) -> Json:
    calls = trace.collectives
    columns: Json = {}
    for column in fields(Collectives):
        values = getattr(calls, column.name)
        columns[column.name] = (
            {"names": list(values.names), "codes": values.codes.tolist()}
            if isinstance(values, Labels)
            else [_plain(entry) for entry in values.tolist()]
        )
    return {
        "rank": trace.rank,
        "device": trace.device,
        "device_name": trace.device_name,
        "start_s": _plain(trace.start_s),
        "end_s": _plain(trace.end_s),
        "kernels": trace.kernels,
        "source": trace.source,
        "notes": list(trace.notes),
        "collectives": columns,
        "compute": _spans(trace.compute),
        "copies": _spans(trace.copies),
        "steps": [_row(step) for step in trace.steps],
        "streams": [{"number": one.number, "compute": _spans(one.compute)} for one in trace.streams],
        "progress": [_row(part) for part in trace.progress],
    }


def _row(record: Group | SummaryRow | Step | GroupProgress) -> Json:
    row = {column.name: getattr(record, column.name) for column in fields(record)}
    return {key: list(value) if isinstance(value, tuple) else _plain(value) for key, value in row.items()}


def _spans(spans: Spans) -> list[list[float]]:
    return [spans.start_s.tolist(), spans.end_s.tolist()]


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _rank_from(told: Json, groups: int, name: str) -> RankTrace:
    return RankTrace(
        rank=integer(told.get("rank")),
        device=integer(told.get("device")),
        device_name=text(told.get("device_name")),
        start_s=number(told.get("start_s")),
        end_s=number(told.get("end_s")),
        collectives=_calls_from(mapping(told.get("collectives")), groups, name),
        compute=_spans_from(told.get("compute"), name),
        copies=_spans_from(told.get("copies"), name),
        steps=tuple(_step_from(one, name) for one in _listed(told.get("steps"), "steps", name)),
        streams=tuple(
            Stream(integer(one.get("number")), _spans_from(one.get("compute"), name))
            for one in _listed(told.get("streams"), "streams", name)
        ),
        kernels=max(integer(told.get("kernels"), 0), 0),
        progress=tuple(
            GroupProgress(*(integer(one.get(column.name)) for column in fields(GroupProgress)))
            for one in _listed(told.get("progress"), "progress", name)
            if 0 <= integer(one.get("group")) < groups
        ),
        source=text(told.get("source")),
        notes=_texts(told.get("notes")),
    )


def _calls_from(told: Json, groups: int, name: str) -> Collectives:
    columns: dict[str, Any] = {}
    for column in fields(Collectives):
        values = told.get(column.name)
        if column.name in _LABELS:
            columns[column.name] = _labels_from(mapping(values), column.name, name)
        elif column.name in _LENGTHS:
            columns[column.name] = _lengths(values, column.name, name)
        elif column.name in _FLOATS:
            columns[column.name] = _floats(values, column.name, name)
        else:
            columns[column.name] = _integers(values, column.name, name)
    if len({len(values) for values in columns.values()}) != 1:
        _refuse(name, "columns of different length")
    if not set(columns["operation"].names) <= set(OPERATIONS):
        _refuse(name, "an operation that is none")
    if len(columns["group"]) and not -1 <= columns["group"].min() <= columns["group"].max() < groups:
        _refuse(name, "a collective of a group that is not listed")
    return Collectives(**columns)


def _labels_from(told: Json, what: str, name: str) -> Labels:
    names = _texts(told.get("names"))
    codes = _integers(told.get("codes"), what, name)
    if len(codes) and not 0 <= codes.min() <= codes.max() < len(names):
        _refuse(name, f"{what}: a code without a name")
    return Labels(codes.astype(np.int32), names)


def _integers(value: Any, what: str, name: str) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    if (
        not isinstance(value, list)
        or len(value) > ROWS_MOST
        or not all(type(entry) is int for entry in value)
    ):
        _refuse(name, f"{what}: whole numbers are needed")
    try:
        return np.array(value, dtype=np.int64)
    except OverflowError as problem:
        message = f"{name}: {what}: a number past 64 bits"
        raise InputError(message) from problem


def _floats(value: Any, what: str, name: str) -> Floats:
    numeric = isinstance(value, list) and len(value) <= ROWS_MOST
    if not numeric or not all(entry is None or type(entry) in (int, float) for entry in value):
        _refuse(name, f"{what}: numbers are needed")
    times = np.array([math.nan if entry is None else float(entry) for entry in value], dtype=np.float64)
    if np.nanmax(np.abs(times), initial=0.0) > TIME_MOST_S:
        _refuse(name, f"{what}: a time past any job's")
    return times


def _lengths(value: Any, what: str, name: str) -> Floats:
    lengths = _floats(value, what, name)
    if np.nanmin(lengths, initial=0.0) < -ROUNDING_S:
        _refuse(name, f"{what}: a negative time")
    return lengths


def _step_from(told: Json, name: str) -> Step:
    step = Step(text(told.get("name")), *(number(told.get(column.name)) for column in fields(Step)[1:]))
    if not (math.isfinite(step.start_s) and step.start_s <= step.end_s < math.inf):
        _refuse(name, "a step without a start and an end after it")
    return step


def _spans_from(value: Any, name: str) -> Spans:
    if not isinstance(value, list) or len(value) != 2:  # noqa: PLR2004 (starts and ends)
        _refuse(name, "spans are starts and ends")
    start, end = _floats(value[0], "spans", name), _floats(value[1], "spans", name)
    if len(start) != len(end) or not (
        np.isfinite(start).all() and np.isfinite(end).all() and (end >= start).all()
    ):
        _refuse(name, "spans end before they start")
    return Spans(start, end)


def _summary_from(told: Json, groups: int, name: str) -> SummaryRow:
    operation, group = text(told.get("operation")), integer(told.get("group"))
    if operation not in OPERATIONS or not -1 <= group < groups:
        _refuse(name, "a row of the summary does not fit")
    rank = told.get("rank")
    return SummaryRow(
        operation=operation,
        kernel=text(told.get("kernel")),
        rank=None if rank is None else integer(rank),
        group=group,
        bytes_in=integer(told.get("bytes_in")),
        bytes_out=integer(told.get("bytes_out")),
        dtype=text(told.get("dtype")),
        count=max(integer(told.get("count")), 0),
        total_s=number(told.get("total_s")),
        mean_s=number(told.get("mean_s")),
        low_s=number(told.get("low_s")),
        high_s=number(told.get("high_s")),
        bus_bytes_per_s=number(told.get("bus_bytes_per_s")),
    )


def _listed(value: Any, what: str, name: str) -> list[Json]:
    listed = entries(value)
    if not isinstance(value, list) or len(listed) != len(value) or len(listed) > LIST_MOST:
        _refuse(name, f"{what}: a list is needed")
    return listed


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text(entry) for entry in value[:LIST_MOST]) if isinstance(value, list) else ()


def _positive(value: Any) -> int | None:
    whole = integer(value)
    return whole if whole > 0 else None


def _refuse(name: str, why: str) -> NoReturn:
    message = f"{name}: {why}"
    raise InputError(message)
