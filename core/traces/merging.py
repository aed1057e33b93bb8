"""The files of one job as one job: groups numbered alike, clocks set to one origin, ranks in order."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from core.errors import InputError
from core.traces.group_table import GroupTable
from core.traces.records import Collectives, Job, RankTrace, Step, Stream
from core.traces.spans import Spans

_NS = 1e-9
_DAY_NS = 86_400 * 10**9


def merged_jobs(jobs: Sequence[Job]) -> Job:
    """
    One job from the jobs that its files tell.

    Raises:
        InputError: The files are of different kinds, or two of them are the same rank.
    """
    formats = list(dict.fromkeys(job.format for job in jobs))
    if len(formats) != 1:
        message = f"files of different kinds ({', '.join(formats)}): bring one kind at a time"
        raise InputError(message)
    if len(jobs) == 1:
        return jobs[0]
    groups = GroupTable()
    numbers = [
        [groups.number(group.name, group.ranks, group.size, group.description) for group in job.groups]
        for job in jobs
    ]
    origins = [job.origin_ns for job in jobs]
    shared = all(origins) and max(origins) - min(origins) < _DAY_NS
    origin_ns = min(origins) if shared else 0
    ranks = [
        _moved(trace, (job.origin_ns - origin_ns) * _NS if shared else 0.0, number)
        for job, number in zip(jobs, numbers, strict=True)
        for trace in job.ranks
    ]
    if any(trace.rank < 0 for trace in ranks):
        ranks = [replace(trace, rank=index) for index, trace in enumerate(ranks)]
    ranks.sort(key=lambda trace: (trace.rank, trace.device))
    _refuse_twins(ranks)
    notes = [note for job in jobs for note in job.notes]
    if not shared and any(np.isfinite(trace.start_s) for trace in ranks):
        notes.append("The clocks of the files cannot be set against each other: each begins at its own 0.")
    worlds = [job.world_size for job in jobs if job.world_size]
    return Job(
        format=formats[0],
        ranks=tuple(ranks),
        groups=groups.groups,
        summary=tuple(
            replace(row, group=number[row.group] if row.group >= 0 else -1)
            for job, number in zip(jobs, numbers, strict=True)
            for row in job.summary
        ),
        summary_kernels_s=sum(job.summary_kernels_s for job in jobs),
        world_size=max(worlds) if worlds else None,
        device_name=next((job.device_name for job in jobs if job.device_name), ""),
        software=tuple(dict.fromkeys(part for job in jobs for part in job.software)),
        origin_ns=origin_ns,
        notes=tuple(dict.fromkeys(notes)),
    )


def _refuse_twins(ranks: list[RankTrace]) -> None:
    places = [(trace.rank, trace.device) for trace in ranks]
    twin = next((place for place, after in pairwise(places) if place == after), None)
    if twin is not None:
        files = [trace.source for trace in ranks if (trace.rank, trace.device) == twin]
        message = (
            f"two files are rank {twin[0]} ({files[0][-60:]} and {files[1][-60:]}): bring each rank once"
        )
        raise InputError(message)


def _moved(trace: RankTrace, by_s: float, numbers: list[int]) -> RankTrace:
    """A trace whose times begin at another origin and whose groups have other numbers."""
    table = np.array([*numbers, -1], dtype=np.int64)
    calls = trace.collectives
    return replace(
        trace,
        start_s=trace.start_s + by_s,
        end_s=trace.end_s + by_s,
        collectives=_calls_moved(calls, by_s, table),
        compute=_spans_moved(trace.compute, by_s),
        copies=_spans_moved(trace.copies, by_s),
        steps=tuple(_step_moved(step, by_s) for step in trace.steps),
        streams=tuple(Stream(stream.number, _spans_moved(stream.compute, by_s)) for stream in trace.streams),
        progress=tuple(replace(part, group=int(table[part.group])) for part in trace.progress),
    )


def _calls_moved(
    calls: Collectives, by_s: float, numbers: "np.ndarray[tuple[int], np.dtype[np.int64]]"
) -> Collectives:
    return replace(
        calls,
        start_s=calls.start_s + by_s,
        launch_s=calls.launch_s + by_s,
        producer_end_s=calls.producer_end_s + by_s,
        group=numbers[calls.group],
    )


def _spans_moved(spans: Spans, by_s: float) -> Spans:
    return Spans(spans.start_s + by_s, spans.end_s + by_s)


def _step_moved(step: Step, by_s: float) -> Step:
    return Step(
        step.name,
        step.start_s + by_s,
        step.end_s + by_s,
        step.device_start_s + by_s,
        step.device_end_s + by_s,
    )
