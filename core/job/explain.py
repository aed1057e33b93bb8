"""Where the time of a traced job goes: shares of each step, totals by kind, verdicts, the straggler."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats, InputError
from core.collectives.question import FabricQuestion
from core.job.kinds import Kind, KindTable, kind_table
from core.job.matched import Matches, Straggler, match_calls, straggler
from core.job.message_sizes import PRICED_AS
from core.job.shares import TimeShares, has_times, mean_shares, of_rank, of_steps, step_time_s
from core.job.verdicts import ANOTHER_GPU, judge_kinds
from core.measurement.bus_factor import bus_factor
from core.traces.records import Job, RankTrace
from core.verdict import SizeVerdict

MOST_COSTLY = 10


@dataclass(frozen=True, slots=True)
class KindTotal:
    """
    All calls of one kind, over all traced ranks; seconds are those of one rank, the mean over ranks.

    Attributes:
        kind: Parallelism, group, operation, size, type.
        calls: Of one rank.
        total_s: Sum of durations, waiting included.
        exposed_s: Of these without compute beside; NaN where not told.
        waiting_s: Of these beyond the shortest rank's; NaN where it cannot be told.
        time_s: Of one call: on the wire where all ranks are here, else of the fastest call.
        bus_bytes_per_s: Of that time, as nccl-tests counts it; NaN where undefined.
        verdict: Against the model's expectation; None where no system was named.
        excess_s: What all calls take beyond the upper end of their interval; 0 where none does.
    """

    kind: Kind
    calls: float
    total_s: float
    exposed_s: float
    waiting_s: float
    time_s: float
    bus_bytes_per_s: float
    verdict: SizeVerdict | None = None

    @property
    def excess_s(self) -> float:
        """Seconds that all calls take beyond the expected interval; 0 where nothing is expected."""
        if self.verdict is None or self.verdict.high_s is None or not np.isfinite(self.time_s):
            return 0.0
        return max(0.0, self.calls * (self.time_s - self.verdict.high_s))


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """
    A job explained.

    Attributes:
        job: The trace.
        table: Its kinds of call.
        matches: Wire time and waiting of each call.
        ranks: Time shares of each traced rank; empty where the trace tells no times.
        steps: Time shares of each step of each rank.
        step_s: One step, the mean over steps and ranks; None where none is marked.
        totals: By kind, the most exposed first.
        straggler: The rank that the others wait for; None where there is none, or it cannot be told.
        remarks: What cannot be told from this trace, one sentence each.
    """

    job: Job
    table: KindTable
    matches: Matches
    ranks: tuple[TimeShares, ...]
    steps: tuple[TimeShares, ...]
    step_s: float | None
    totals: tuple[KindTotal, ...]
    straggler: Straggler | None
    remarks: tuple[str, ...]

    @property
    def per_step(self) -> tuple[TimeShares, ...]:
        """Time shares of each rank's mean step; of its whole trace where no steps are marked."""
        return tuple(
            mean_shares([step for step in self.steps if step.rank == shares.rank]) or shares
            for shares in self.ranks
        )

    @property
    def exposed_share(self) -> float | None:
        """Exposed communication over the time of a step, the mean over ranks; None where it is not told."""
        return float(np.mean([shares.exposed_share for shares in self.per_step])) if self.ranks else None

    @property
    def costliest(self) -> tuple[KindTotal, ...]:
        """The ten kinds that cost most: by exposed time, or by all their time where that is not told."""
        return self.totals[:MOST_COSTLY]


def explain(job: Job, question: FabricQuestion | None = None) -> Explanation:
    """
    What a trace tells of a job.

    Args:
        job: From the readers of ``core.traces``.
        question: System, rates and software that its calls are compared with; None compares with nothing.

    Raises:
        InputError: The trace has no collectives and no times, or the system cannot hold the job.
    """
    table, matches = kind_table(job), match_calls(job)
    timed = [trace for trace in job.ranks if has_times(trace)]
    if not table.kinds and not timed:
        message = "trace: nothing in it tells of communication or compute"
        raise InputError(message)
    totals = _totals(job, table, matches)
    if question is not None and totals:
        totals = _with_verdicts(totals, job, question)
    return Explanation(
        job=job,
        table=table,
        matches=matches,
        ranks=tuple(of_rank(trace) for trace in timed),
        steps=tuple(shares for trace in timed for shares in of_steps(trace)),
        step_s=step_time_s(job),
        totals=tuple(sorted(totals, key=_cost, reverse=True)),
        straggler=straggler(job, matches),
        remarks=(*_another_gpu(totals), *_remarks(job, table, matches)),
    )


def _cost(total: KindTotal) -> tuple[float, float]:
    return float(np.nan_to_num(total.exposed_s)), float(np.nan_to_num(total.total_s))


def _totals(job: Job, table: KindTable, matches: Matches) -> list[KindTotal]:
    """Of the single calls, and of the rows of a report without them."""
    totals = []
    for index, kind in enumerate(table.kinds):
        rows = [np.flatnonzero(of_rank == index) for of_rank in table.of_rank]
        if any(row.size for row in rows):
            totals.append(_total(kind, job, rows, matches))
    totals += [
        _with_rate(KindTotal(table.kinds[index], row.count, row.total_s, np.nan, np.nan, row.mean_s, np.nan))
        for index, row in zip(table.of_summary, job.summary, strict=True)
    ]
    return totals


def _total(kind: Kind, job: Job, rows: Sequence[NDArray[np.integer]], matches: Matches) -> KindTotal:
    callers = [place for place, row in enumerate(rows) if row.size]
    calls = float(np.mean([rows[place].size for place in callers]))
    durations = [job.ranks[place].collectives.duration_s[rows[place]] for place in callers]
    exposed = [job.ranks[place].collectives.exposed_s[rows[place]] for place in callers]
    wire = np.concatenate([matches.wire_s[place][rows[place]] for place in callers])
    every = np.concatenate(durations)
    matched = bool(np.isfinite(wire).any())
    time_s = float(np.nanmedian(wire)) if matched else _least(every)
    waiting = np.nansum(every - wire) / len(callers) if matched else np.nan
    return _with_rate(
        KindTotal(
            kind,
            calls,
            float(np.mean([column.sum() for column in durations])),
            float(np.mean([column.sum() for column in exposed])),
            float(waiting),
            time_s,
            np.nan,
        )
    )


def _least(durations: Floats) -> float:
    """The shortest of them; NaN where none is told."""
    known = durations[np.isfinite(durations)]
    return float(known.min()) if known.size else float("nan")


def _with_rate(total: KindTotal) -> KindTotal:
    kind = total.kind
    factor = bus_factor(PRICED_AS.get(kind.operation), kind.ranks)
    if factor is None or kind.size_bytes <= 0 or not total.time_s > 0:
        return total
    return replace(total, bus_bytes_per_s=factor * kind.size_bytes / total.time_s)


def _with_verdicts(totals: list[KindTotal], job: Job, question: FabricQuestion) -> list[KindTotal]:
    """With verdicts; a report's totals are of the wire."""
    verdicts = judge_kinds(
        [total.kind for total in totals],
        np.array([total.time_s for total in totals]),
        question,
        world_size=job.world_size,
        device_name=job.device_name,
        on_wire=[bool(job.summary) or isfinite(total.waiting_s) for total in totals],
    )
    return [replace(total, verdict=verdict) for total, verdict in zip(totals, verdicts, strict=True)]


def _another_gpu(totals: list[KindTotal]) -> tuple[str, ...]:
    """That the trace is of another GPU than the system's, once."""
    reasons = [total.verdict.reason for total in totals if total.verdict is not None]
    return tuple(dict.fromkeys(reason.text for reason in reasons if reason.code == ANOTHER_GPU))


def _remarks(job: Job, table: KindTable, matches: Matches) -> tuple[str, ...]:
    """What cannot be told, each once."""
    lines = [*job.notes, *(note for trace in job.ranks for note in trace.notes)]
    if matches.why_not and not job.summary:
        lines.append(matches.why_not)
    unknown = sum(kind.size_bytes < 0 for kind in table.kinds)
    if unknown:
        lines.append(f"{unknown} of {len(table.kinds)} kinds of call have no bytes in the trace: no verdict")
    if any(has_times(trace) and not trace.steps for trace in job.ranks):
        lines.append("no steps are marked (profiler.step()): shares are of the whole trace")
    return tuple(dict.fromkeys(lines))


def timed_ranks(job: Job) -> tuple[RankTrace, ...]:
    """Ranks whose trace says when things ran."""
    return tuple(trace for trace in job.ranks if has_times(trace))
