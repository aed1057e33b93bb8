"""Who waits for whom in a job that stands still: the first call that a rank never made, calls that differ."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
        waiting: Ranks that have issued the call and not completed it.
        missing: Ranks with a record here that have not issued it.
        absent: Ranks of the group without a record here: what they did is not told.
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
        culprits: Ranks by how many groups miss a call of them, most first.
        unfinished: Calls of all ranks that were issued and have not completed.
        unrecorded: Ranks of the groups that left no record here.
    """

    waits: tuple[Waiting, ...]
    mismatches: tuple[Mismatch, ...]
    culprits: tuple[tuple[int, int], ...]
    unfinished: int
    unrecorded: tuple[int, ...] = ()

    @property
    def unblamed(self) -> str:
        """What is the matter where no rank is known to be behind, in a sentence."""
        if not self.mismatches:
            return "No rank is behind in any group"
        sizes_alone = all(len({operation for _, operation, _ in item.calls}) == 1 for item in self.mismatches)
        return "Ranks call with different sizes" if sizes_alone else "Ranks call different operations"


def find_hang(job: Job) -> Hang | None:
    """What a flight recorder tells of who waits for whom; None for other traces."""
    if job.format != RECORDER:
        return None
    names = [str(use.parallelism) for use in kind_table(job).uses]
    waits: list[Waiting] = []
    mismatches: list[Mismatch] = []
    for index, group in enumerate(job.groups):
        calls = {
            trace.rank: numbered
            for trace in job.ranks
            if (numbered := _numbered(trace, index)) or trace.rank in (group.ranks or ())
        }
        wait = _first_missing(group, names[index], calls)
        if wait is not None:
            waits.append(wait)
        mismatches += _mismatches(group, calls)
    waits.sort(key=lambda wait: (len(wait.missing) == 0, -len(wait.waiting)))
    blamed = Counter(rank for wait in waits for rank in wait.missing)
    recorded = {trace.rank for trace in job.ranks}
    members = {rank for group in job.groups for rank in group.ranks or ()}
    return Hang(
        waits=tuple(waits),
        mismatches=tuple(mismatches),
        culprits=tuple(blamed.most_common()),
        unfinished=sum(int(np.sum(_pending(trace))) for trace in job.ranks),
        unrecorded=tuple(sorted(members - recorded)),
    )


@dataclass(frozen=True, slots=True)
class _Call:
    """A numbered call of a rank in a group."""

    operation: str
    size_bytes: int
    pending: bool


def _pending(trace: RankTrace) -> NDArray[np.bool_]:
    """Calls of a rank that were issued and have not completed."""
    state = trace.collectives.state
    return state.equals("scheduled") | state.equals("started")


def _numbered(trace: RankTrace, index: int) -> dict[int, _Call]:
    """The collectives of a rank in a group by number; sends and receives have none."""
    calls, pending = trace.collectives, _pending(trace)
    return {
        int(calls.sequence[row]): _Call(calls.operation[row], int(calls.bytes_in[row]), bool(pending[row]))
        for row in np.flatnonzero((calls.group == index) & (calls.sequence >= 0)).tolist()
        if calls.operation[row] not in PAIRWISE
    }


def _first_missing(group: Group, parallelism: str, calls: dict[int, dict[int, _Call]]) -> Waiting | None:
    """The first call that a rank waits in and another has not issued, or has no record of."""
    last = {rank: max(numbered, default=-1) for rank, numbered in calls.items()}
    absent = tuple(sorted(set(group.ranks or ()) - set(calls)))
    pending = {number for numbered in calls.values() for number, call in numbered.items() if call.pending}
    alone = {number for number in pending if number > min(last.values())}
    if not alone and not (pending and absent):
        return None
    sequence = min(alone or pending)
    waiting = tuple(
        sorted(
            rank
            for rank, numbered in calls.items()
            if any(call.pending and number >= sequence for number, call in numbered.items())
        )
    )
    call = next(calls[rank][sequence] for rank in waiting if sequence in calls[rank])
    return Waiting(
        group=group.name,
        description=group.description,
        parallelism=parallelism,
        waiting=waiting,
        missing=tuple(sorted(rank for rank, number in last.items() if number < sequence)),
        absent=absent,
        sequence=sequence,
        operation=call.operation,
        size_bytes=call.size_bytes,
    )


def _mismatches(group: Group, calls: dict[int, dict[int, _Call]]) -> list[Mismatch]:
    """Calls of one number whose operation or size differs between ranks."""
    numbers = sorted({number for numbered in calls.values() for number in numbered})
    different = []
    for number in numbers:
        made = [
            (rank, numbered[number].operation, numbered[number].size_bytes)
            for rank, numbered in sorted(calls.items())
            if number in numbered
        ]
        uneven = all(operation in UNEVEN for _, operation, _ in made)
        if len({operation if uneven else (operation, size) for _, operation, size in made}) > 1:
            different.append(Mismatch(group.name, number, tuple(made)))
    return different
