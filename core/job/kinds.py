"""Calls of a job by kind: parallelism, group size and placement, operation, message size, data type."""

from dataclasses import dataclass

import numpy as np

from core.job.message_sizes import PAIRWISE, as_nccl_tests, message_bytes, size_of
from core.job.parallelism import GroupUse, uses
from core.parallel.groups import Group as Placement
from core.traces.records import Group, Integers, Job, RankTrace

UNKNOWN_BYTES = -1
MOST_BYTES = 2.0**62
PAIR = 2


@dataclass(frozen=True, slots=True)
class Kind:
    """
    What calls have in common that should take the same time.

    Attributes:
        parallelism: Of their group: TP, PP, DP, EP, CP or unknown.
        ranks: Ranks that take part; None where not told.
        stride: Distance of neighbouring ranks; 1 where the trace does not list them.
        operation: As traced.
        size_bytes: As nccl-tests counts it; -1 where not told.
        dtype: Lower case; "" where not told.
    """

    parallelism: str
    ranks: int | None
    stride: int
    operation: str
    size_bytes: int
    dtype: str

    @property
    def placement(self) -> Placement | None:
        """The ranks as the model places them; None where their number is not told."""
        return None if self.ranks is None else Placement(self.ranks, self.stride)


@dataclass(frozen=True, slots=True, eq=False)
class KindTable:
    """
    Every kind of call of a job, and which each call is.

    Attributes:
        kinds: In order of first occurrence.
        of_rank: For each traced rank, the index into ``kinds`` of each of its calls.
        of_summary: The same for the rows of a report without single calls.
        uses: What each group is for; the last entry is for calls that name none.
    """

    kinds: tuple[Kind, ...]
    of_rank: tuple[Integers, ...]
    of_summary: tuple[int, ...]
    uses: tuple[GroupUse, ...]


def kind_table(job: Job) -> KindTable:
    """The kinds of call of a job."""
    table: dict[Kind, int] = {}
    context = _Context(uses(job), (*job.groups, Group("", size=job.world_size)))
    of_rank = tuple(_of_rank(job, trace, context, table) for trace in job.ranks)
    of_summary = []
    for row in job.summary:
        ranks = size_of(context.groups[row.group])
        amount = as_nccl_tests(row.operation, row.bytes_in, row.bytes_out, ranks or np.nan)
        kind = context.kind(row.group, row.operation, float(amount), row.dtype)
        of_summary.append(table.setdefault(kind, len(table)))
    return KindTable(tuple(table), of_rank, tuple(of_summary), context.uses)


@dataclass(frozen=True, slots=True)
class _Context:
    """Groups and what they are for; the last entry stands for calls that name none."""

    uses: tuple[GroupUse, ...]
    groups: tuple[Group, ...]

    def kind(self, group: int, operation: str, amount: float, dtype: str) -> Kind:
        """The kind of a call; two ranks for a send whatever its group."""
        ranks = PAIR if operation in PAIRWISE else size_of(self.groups[group])
        return Kind(
            parallelism=str(self.uses[group].parallelism),
            ranks=ranks,
            stride=1 if operation in PAIRWISE else stride_of(self.groups[group]),
            operation=operation,
            size_bytes=UNKNOWN_BYTES if np.isnan(amount) else int(amount),
            dtype=dtype,
        )


def _of_rank(job: Job, trace: RankTrace, context: _Context, table: dict[Kind, int]) -> Integers:
    """The kind of each call of a rank, new ones added to the table."""
    calls = trace.collectives
    if not len(calls):
        return np.empty(0, np.int64)
    amounts = message_bytes(calls, job.groups, job.world_size)
    whole = np.nan_to_num(amounts, nan=UNKNOWN_BYTES).clip(max=MOST_BYTES).astype(np.int64)
    rows = np.stack([calls.group, calls.operation.codes, whole, calls.dtype.codes], axis=1)
    different, inverse = np.unique(rows, axis=0, return_inverse=True)
    numbers = []
    for group, operation, size, dtype in different.tolist():
        amount = np.nan if size == UNKNOWN_BYTES else float(size)
        kind = context.kind(group, calls.operation.names[operation], amount, calls.dtype.names[dtype])
        numbers.append(table.setdefault(kind, len(table)))
    return np.array(numbers, np.int64)[inverse.reshape(-1)]


def stride_of(group: Group) -> int:
    """Distance of neighbouring ranks, the commonest where they differ; 1 where they are not listed."""
    if group.ranks is None or len(group.ranks) < PAIR:
        return 1
    distances, counts = np.unique(np.diff(sorted(group.ranks)), return_counts=True)
    return max(1, int(distances[np.argmax(counts)]))
