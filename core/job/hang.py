"""Who waits for whom in a job that stands still: the first call that a rank never made, calls that differ."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from core.job.kinds import kind_table
from core.job.message_sizes import PAIRWISE
from core.traces.records import Group, Job, RankTrace

UNEVEN = ("all_to_all", "gather", "scatter", "moe_dispatch", "moe_combine")
"""Operations whose ranks may send different amounts."""
RECORDER = "flight-recorder"


@dataclass(frozen=True, slots=True)
class Waiting:
    """
    Ranks of one group that wait for others.

    Attributes:
        group, description: Name of the group, and what the program calls it.
        parallelism: TP, PP, DP, EP, CP or unknown.
        waiting: Ranks that have issued the call.
        missing: Ranks that have not, though their record goes on to the call before it.
        absent: Ranks of the group without a record here.
        sequence: Number of the call in its group.
        operation: Of the call.
        size_bytes: Input of one rank; -1 unknown.
    """

    group: str
    description: str
    parallelism: str
    waiting: tuple[int, ...]
    missing: tuple[int, ...]
    absent: tuple[int, ...]
    sequence: int
    operation: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One call of a group that its ranks make differently: by rank, operation and bytes of the input."""

    group: str
    sequence: int
    calls: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True)
class Hang:
    """
    What a flight recorder tells.

    Attributes:
        waits: The first missing call of each group that has one, those with most waiting ranks first.
        mismatches: Calls that differ between ranks.
        culprits: Ranks by how many groups miss a call or a record of them, most first.
        unfinished: Calls of all ranks that were issued and have not completed.
    """

    waits: tuple[Waiting, ...]
    mismatches: tuple[Mismatch, ...]
    culprits: tuple[tuple[int, int], ...]
    unfinished: int


def find_hang(job: Job) -> Hang | None:
    """What a flight recorder tells of who waits for whom; None for other traces."""
    if job.format != RECORDER:
        return None
    names = [str(use.parallelism) for use in kind_table(job).uses]
    waits: list[Waiting] = []
    mismatches: list[Mismatch] = []
    for index, group in enumerate(job.groups):
        calls = {trace.rank: numbered for trace in job.ranks if (numbered := _numbered(trace, index))}
        wait = _first_missing(group, names[index], calls)
        if wait is not None:
            waits.append(wait)
        mismatches += _mismatches(group, calls)
    waits.sort(key=lambda wait: (len(wait.missing) == 0, -len(wait.waiting)))
    blamed = Counter(rank for wait in waits for rank in (*wait.missing, *wait.absent))
    unfinished = sum(
        int(np.sum(trace.collectives.state.equals("scheduled") | trace.collectives.state.equals("started")))
        for trace in job.ranks
    )
    return Hang(tuple(waits), tuple(mismatches), tuple(blamed.most_common()), unfinished)


Call = tuple[str, int]


def _numbered(trace: RankTrace, index: int) -> dict[int, Call]:
    """Operation and bytes by number of the collectives of a rank in a group; sends and receives have none."""
    calls = trace.collectives
    return {
        int(calls.sequence[row]): (calls.operation[row], int(calls.bytes_in[row]))
        for row in np.flatnonzero((calls.group == index) & (calls.sequence >= 0)).tolist()
        if calls.operation[row] not in PAIRWISE
    }


def _first_missing(group: Group, parallelism: str, calls: dict[int, dict[int, Call]]) -> Waiting | None:
    """The first call after the end of a rank's record that another rank of the group has issued."""
    if not calls:
        return None
    last = {rank: max(numbered) for rank, numbered in calls.items()}
    absent = tuple(sorted(set(group.ranks or ()) - set(calls)))
    newest = max(last.values())
    behind = [rank for rank, number in last.items() if number < newest]
    if not behind and not absent:
        return None
    sequence = min(last[rank] for rank in behind) + 1 if behind else newest
    waiting = tuple(sorted(rank for rank, number in last.items() if number >= sequence))
    missing = tuple(sorted(rank for rank in behind if last[rank] < sequence))
    operation, size_bytes = next(
        (calls[rank][sequence] for rank in waiting if sequence in calls[rank]), ("unknown", -1)
    )
    return Waiting(
        group.name, group.description, parallelism, waiting, missing, absent, sequence, operation, size_bytes
    )


def _mismatches(group: Group, calls: dict[int, dict[int, Call]]) -> list[Mismatch]:
    """Calls of one number whose operation or size differs between ranks."""
    numbers = sorted({number for numbered in calls.values() for number in numbered})
    different = []
    for number in numbers:
        made = [(rank, *numbered[number]) for rank, numbered in sorted(calls.items()) if number in numbered]
        uneven = all(operation in UNEVEN for _, operation, _ in made)
        if len({operation if uneven else (operation, size) for _, operation, size in made}) > 1:
            different.append(Mismatch(group.name, number, tuple(made)))
    return different
