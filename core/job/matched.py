"""The same call on every rank: the time on the wire is the shortest rank's, the rest is waiting."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.job.message_sizes import PAIRWISE
from core.traces.records import Integers, Job

NO_GROUP = -1
LEAST_SHARE = 0.4
"""A straggler comes last to so much of the calls, and to its own part of the rest."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """
    Which part of each call is time on the wire, and which part waiting for other ranks.

    Attributes:
        wire_s: For each traced rank and call, the shortest duration of that call over its ranks; NaN
            where other ranks of the group are not here, and for sends and receives: which send meets which
            receive is not told.
        complete: Whether every call of a whole group has all its ranks here.
        why_not: Why it cannot be told where it cannot; "" where it can.
    """

    wire_s: tuple[Floats, ...]
    complete: bool
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Straggler:
    """
    The rank that the others wait for.

    Attributes:
        rank: It waits least itself.
        waited_s: Seconds that another rank waits in its calls, the mean over those ranks, whole trace.
        share: Of the calls with several ranks here, the share in which this rank is the last to come.
    """

    rank: int
    waited_s: float
    share: float


def match_calls(job: Job) -> Matches:
    """The i-th call of an operation in a group is the same call on each of its ranks."""
    durations = [trace.collectives.duration_s for trace in job.ranks]
    wire = [np.full(len(column), np.nan) for column in durations]
    if not durations or not all(np.isfinite(column).all() for column in durations):
        return Matches(tuple(wire), complete=False, why_not="the trace tells no times")
    if len(job.ranks) == 1 and job.world_size != 1:
        return Matches(
            tuple(wire),
            complete=False,
            why_not="one rank alone: time on the wire and waiting for other ranks cannot be told apart",
        )
    missing: set[str] = set()
    for index in sorted({int(group) for trace in job.ranks for group in trace.collectives.group}):
        why = _match_group(job, index, wire)
        if why:
            missing.add(why)
    return Matches(tuple(wire), complete=not missing, why_not="; ".join(sorted(missing)))


def _match_group(job: Job, index: int, wire: Sequence[Floats]) -> str:
    """Fill in the wire time of a group's calls; what is missing, else an empty text."""
    members = _members(job, index)
    rows = {place: _rows(job, place, index) for place in members}
    present = [place for place in members if rows[place].size]
    if not present:
        return ""
    wanted = _wanted(job, index)
    if wanted is not None and len(present) < wanted:
        return f"{wanted - len(present)} of {wanted} ranks of a group are not among the files"
    aligned = _aligned(job, {place: rows[place] for place in present})
    if aligned is None:
        return "the ranks of a group made different calls"
    durations = np.stack([job.ranks[place].collectives.duration_s[aligned[place]] for place in present])
    shortest = durations.min(axis=0)
    for place in present:
        wire[place][aligned[place]] = shortest
    return ""


def _rows(job: Job, place: int, index: int) -> Integers:
    """Calls of a rank that its whole group makes."""
    calls = job.ranks[place].collectives
    together = calls.group == index
    for operation in PAIRWISE:
        together &= ~calls.operation.equals(operation)
    return np.flatnonzero(together)


def _members(job: Job, index: int) -> list[int]:
    """Traced ranks that may be in a group."""
    ranks = job.groups[index].ranks if index != NO_GROUP else None
    return [place for place, trace in enumerate(job.ranks) if ranks is None or trace.rank in ranks]


def _wanted(job: Job, index: int) -> int | None:
    """How many ranks a group has; the job's where it is not named."""
    if index == NO_GROUP:
        return job.world_size
    group = job.groups[index]
    return group.size if group.ranks is None else len(group.ranks)


def _aligned(job: Job, rows: dict[int, Integers]) -> dict[int, Integers] | None:
    """The rows of each rank in one order of calls; None where the ranks' calls differ."""
    by_number = _by_sequence(job, rows)
    if by_number is not None:
        rows = by_number
    operations = [
        [job.ranks[place].collectives.operation[row] for row in indices.tolist()]
        for place, indices in rows.items()
    ]
    return rows if all(names == operations[0] for names in operations) else None


def _by_sequence(job: Job, rows: dict[int, Integers]) -> dict[int, Integers] | None:
    """Rows with numbers that every rank has, in their order; None where calls are not numbered."""
    numbers = {place: job.ranks[place].collectives.sequence[indices] for place, indices in rows.items()}
    if any((column < 0).any() or len(np.unique(column)) < len(column) for column in numbers.values()):
        return None
    common = set.intersection(*(set(column.tolist()) for column in numbers.values()))
    shared = np.array(sorted(common), np.int64)
    return {
        place: rows[place][np.argsort(column)[np.searchsorted(np.sort(column), shared)]]
        for place, column in numbers.items()
    }


def straggler(job: Job, matches: Matches) -> Straggler | None:
    """The rank that the others wait for; None with fewer than two ranks, or where they take turns."""
    if not matches.complete or len(job.ranks) < 2:  # noqa: PLR2004 (nobody to wait for)
        return None
    waiting: list[Floats] = []
    ranks = []
    for trace, wire_s in zip(job.ranks, matches.wire_s, strict=True):
        matched = np.isfinite(wire_s)
        if matched.any():
            waiting.append((trace.collectives.duration_s - wire_s)[matched])
            ranks.append(trace.rank)
    if len(ranks) < 2:  # noqa: PLR2004 (as above)
        return None
    totals = np.array([column.sum() for column in waiting])
    last = int(np.argmin(totals))
    others = np.delete(totals, last)
    share = float(np.mean(waiting[last] <= 0))
    if others.mean() <= 0 or share < LEAST_SHARE + (1 - LEAST_SHARE) / len(ranks):
        return None
    return Straggler(ranks[last], float(others.mean() - totals[last]), share)
