"""TraceLens's reports on collectives: totals by operation and size, for each rank or for all of them."""

import math
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from core.errors import InputError
from core.traces.building import Call, collectives
from core.traces.group_table import GroupTable
from core.traces.json_text import integer, number, ranks
from core.traces.kineto.calls import output_bytes
from core.traces.merging import merged_jobs
from core.traces.names import dtype, itemsize, operation
from core.traces.records import Job, RankTrace, SummaryRow
from core.traces.tables import Row, rows
from core.traces.unpacking import Source
from core.traces.workbook import tables_of
from core.units import GIB, MS, US

NAN = float("nan")
FORMAT = "tracelens-report"
NO_REPORT = "a workbook without a sheet of TraceLens's report on collectives"
_KEYS = {"Collective name", "dtype", "In msg nelems"}


class NoReportError(InputError):
    """A workbook that holds something else than a report on collectives."""


def is_header(cells: list[str]) -> bool:
    """Whether these are the columns of such a report."""
    return set(cells) >= _KEYS


def read_tracelens(source: Source) -> Job:
    """
    The rows of one sheet: totals of each rank or of all together (``implicit sync``), or single calls.

    Its "MB" is MiB and its "GB/s" is GiB/s; bytes are taken from elements and data type instead.

    Raises:
        InputError: It is no such report.
    """
    return _job(rows(source, is_header), source.name)


def read_workbook(source: Source) -> Job:
    """
    The report as TraceLens writes it: of its sheets on collectives, those that tell most.

    Raises:
        NoReportError: No sheet is such a report.
        InputError: It is broken, locked or too large.
    """
    sheets = []
    for table in tables_of(source, is_header):
        # a wide sheet has calls of all ranks in a row, which the long one repeats
        with suppress(InputError):
            sheets.append(_job(table, source.name))
    if not sheets:
        message = f"{source.name}: {NO_REPORT}"
        raise NoReportError(message)
    return merged_jobs(most_telling(sheets))


def most_telling(jobs: Sequence[Job]) -> list[Job]:
    """
    Of several sheets of one report those to read, so that no call counts twice.

    Single calls tell all; else totals over all ranks, with those of each rank for operations that these lack.
    """
    if any(job.format != FORMAT for job in jobs):
        return list(jobs)
    single = [job for job in jobs if job.ranks]
    if single:
        return single
    whole = {row.operation for job in jobs for row in job.summary if row.rank is None}
    return [
        replace(
            job, summary=tuple(row for row in job.summary if row.rank is None or row.operation not in whole)
        )
        for job in jobs
    ]


def _job(table: list[Row], name: str) -> Job:
    groups = GroupTable()
    if {"rank", "ts", "dur"} <= set(table[0]):
        return _calls(table, groups, name)
    summary = tuple(_row(row, groups) for row in table)
    if all(row.count <= 0 for row in summary):
        message = f"{name}: a report without counts of calls"
        raise InputError(message)
    world = max((group.size or 0 for group in groups.groups), default=0)
    notes = ("A report tells no single calls, and no compute.",)
    return Job(FORMAT, (), groups.groups, summary, world_size=world or None, notes=notes)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a row says of its calls; fields as in ``Collectives``."""

    operation: str
    group: int
    bytes_in: int
    bytes_out: int
    dtype: str


def _kind(row: Row, groups: GroupTable) -> _Kind:
    known, kind = operation(row["Collective name"]), dtype(row["dtype"])
    told = integer(row.get("Group size"))
    size, ranks_in_group = itemsize(kind), told if told > 0 else None
    listed = ranks(row.get("Process Group Ranks"))
    group = groups.number(row.get("Process Group Name", ""), listed, ranks_in_group)
    inputs, outputs = integer(row["In msg nelems"]), integer(row.get("Out msg nelems"))
    bytes_in = inputs * size if size and inputs >= 0 else -1
    bytes_out = outputs * size if size and outputs >= 0 else -1
    if bytes_out < 0 <= bytes_in:
        bytes_out = output_bytes(known, bytes_in, ranks_in_group)
    return _Kind(known, group, bytes_in, bytes_out, kind)


def _calls(table: list[Row], groups: GroupTable, name: str) -> Job:
    """The sheet of single calls, with the times of every rank's kernels."""
    by_rank: dict[int, list[Call]] = defaultdict(list)
    starts_us = [start for row in table if math.isfinite(start := number(row["ts"]))]
    first_us = min(starts_us, default=0.0)
    for row in table:
        kind = _kind(row, groups)
        by_rank[integer(row["rank"])].append(
            Call(
                kind.operation,
                kernel=row["Collective name"],
                group=kind.group,
                bytes_in=kind.bytes_in,
                bytes_out=kind.bytes_out,
                bytes_source="record" if kind.bytes_in >= 0 else "none",
                dtype=kind.dtype,
                start_s=(number(row["ts"]) - first_us) * US,
                duration_s=max(number(row["dur"]), 0.0) * US,
                stream=integer(row.get("stream")),
            )
        )
    traces = tuple(_rank(rank, calls, name) for rank, calls in sorted(by_rank.items()))
    return Job(FORMAT, traces, groups.groups, notes=("A report tells no compute.",))


def _rank(rank: int, calls: list[Call], name: str) -> RankTrace:
    table = collectives(calls)
    start_s, end_s = table.start_s, table.end_s
    return RankTrace(rank, -1, "", float(start_s.min()), float(end_s.max()), table, source=name)


def _row(row: Row, groups: GroupTable) -> SummaryRow:
    kind = _kind(row, groups)
    whole = "rank" not in row
    return SummaryRow(
        operation=kind.operation,
        kernel=row["Collective name"],
        rank=None if whole else integer(row["rank"]),
        group=kind.group,
        bytes_in=kind.bytes_in,
        bytes_out=kind.bytes_out,
        dtype=kind.dtype,
        count=integer(row.get("count", row.get("operation_count"))),
        total_s=number(row.get("Total comm latency (ms)")) * MS if whole else number(row.get("dur_sum")) * US,
        mean_s=number(row.get("comm_latency_mean" if whole else "dur_mean")) * US,
        low_s=number(row.get("comm_latency_min" if whole else "dur_min")) * US,
        high_s=number(row.get("comm_latency_max" if whole else "dur_max")) * US,
        bus_bytes_per_s=number(row.get("bus bw (GB/s)_mean"), NAN) * GIB,
    )
