"""The captures of a job as scripts read them: calls, bytes and microseconds of each rank by operation."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from core.traces.records import Job, RankTrace, SummaryRow
from core.traces.totals import totals
from core.units import US

_FORMATS = {
    "nccl-inspector": "inspector",
    "nccl-debug": "nccl-log",
    "nsys-summary": "nsys",
    "nsys-trace": "nsys",
    "tracelens-report": "tracelens",
}
"""Names of formats where they differ from ours."""
_OPERATIONS = {
    "send": "send_recv",
    "recv": "send_recv",
    "moe_dispatch": "dispatch",
    "moe_combine": "combine",
    "unknown": "other",
}
_WITH_COMPUTE = ("kineto", "nsys-trace")
"""Formats that tell the compute beside the collectives, and so what is exposed."""
_PLACES = 3

_Call = tuple[str, int, int, float]
"""Operation, calls, bytes of all of them (-1 unknown), seconds (NaN unknown)."""


def capture_json(job: Job, files: Sequence[str]) -> dict[str, Any]:
    """
    Format and ranks of the files of one job.

    Times are microseconds, null where the format tells none; bytes null where those of a call are unknown.
    """
    ranks = [_rank(job, trace) for trace in job.ranks] or list(_reported(job, files))
    return {"format": _FORMATS.get(job.format, job.format), "job": None, "ranks": ranks}


def _rank(job: Job, trace: RankTrace) -> dict[str, Any]:
    calls, found = trace.collectives, totals(trace)
    timed = not found.calls or bool(np.isfinite(calls.duration_s).any())
    placed = not found.calls or bool(np.isfinite(calls.start_s).any())
    with_compute = placed and job.format in _WITH_COMPUTE
    told = zip(calls.operation, calls.bytes_in.tolist(), calls.duration_s.tolist(), strict=True)
    return {
        "file": trace.source,
        "rank": trace.rank if trace.rank >= 0 else None,
        "world_size": job.world_size,
        "gpu": trace.device_name or job.device_name or None,
        "collective_kernels": found.calls,
        "sum_us": _us(found.sum_s) if timed else None,
        "union_us": _us(found.union_s) if timed and placed else None,
        "exposed_us": _us(found.exposed_s) if with_compute else None,
        "operations": _operations((name, 1, size, seconds) for name, size, seconds in told),
    }


def _reported(job: Job, files: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Ranks of a report that keeps no single calls."""
    rows_of: dict[int | None, list[SummaryRow]] = defaultdict(list)
    for row in job.summary:
        rows_of[row.rank].append(row)
    for rank, rows in rows_of.items():
        yield {
            "file": files[0] if len(files) == 1 else None,
            "rank": rank,
            "world_size": job.world_size,
            "gpu": job.device_name or None,
            "collective_kernels": sum(row.count for row in rows),
            "sum_us": _us(sum(row.total_s for row in rows)),
            "union_us": None,
            "exposed_us": None,
            "operations": _operations(
                (
                    row.operation,
                    row.count,
                    row.bytes_in if row.bytes_in < 0 else row.count * row.bytes_in,
                    row.total_s,
                )
                for row in rows
            ),
        }


def _operations(calls: Iterable[_Call]) -> dict[str, dict[str, Any]]:
    parts_of: dict[str, list[_Call]] = defaultdict(list)
    for call in calls:
        parts_of[_OPERATIONS.get(call[0], call[0])].append(call)
    return {
        name: {
            "count": sum(count for _, count, _, _ in parts),
            "bytes": None
            if any(size < 0 for _, _, size, _ in parts)
            else sum(size for _, _, size, _ in parts),
            "time_us": _us(sum(seconds for *_, seconds in parts)),
        }
        for name, parts in parts_of.items()
    }


def _us(seconds: float) -> float | None:
    return round(seconds / US, _PLACES) if math.isfinite(seconds) else None
