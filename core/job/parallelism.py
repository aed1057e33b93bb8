"""Which parallelism a process group serves: from what the program calls it, else from what it sends."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.job.message_sizes import message_bytes, size_of
from core.traces.records import Group, Job, RankTrace


class Parallelism(StrEnum):
    """What a group of ranks divides among its members."""

    TENSOR = "TP"
    PIPELINE = "PP"
    DATA = "DP"
    EXPERT = "EP"
    CONTEXT = "CP"
    UNKNOWN = "unknown"


_JOINED = re.compile(r"(tensor|tp|context|cp)_and_(data|dp|context|cp)|tensor_model_pipeline")
"""Groups over several kinds at once, such as TENSOR_AND_DATA_PARALLEL_GROUP."""
_WORDS: tuple[tuple[Parallelism, str], ...] = (
    (Parallelism.DATA, r"data_parallel_group_with_cp|expert_data"),
    (Parallelism.CONTEXT, r"context|\bcp\b|ulysses|ring_attn|sequence_parallel_group"),
    (Parallelism.EXPERT, r"expert_model_parallel|expert_tensor_and_model|\bep\b|\bmoe\b|expert_parallel"),
    (Parallelism.TENSOR, r"tensor|\btp\b|\bmp\b"),
    (Parallelism.PIPELINE, r"pipeline|\bpp\b|embedding"),
    (Parallelism.DATA, r"data|\bdp\b|ddp|fsdp|shard|replicate|\bedp\b"),
)
"""Words of Megatron, DeepSpeed, torch's device meshes and vLLM; the first kind that matches is it."""
_GRADIENT_OPERATIONS = frozenset({"all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce"})
_EXCHANGES = frozenset({"all_to_all", "moe_dispatch", "moe_combine"})
_POINT_TO_POINT = frozenset({"send", "recv", "send_recv"})
OVERLAPPED_SHARE = 0.2
"""Gradients hide behind the backward pass: where so much of a group's time is hidden, it is data-parallel."""
LAYERED_CALLS = 24
"""Calls of one size in a step from which on they are those of layers, not of gradient buckets."""
EXPOSED_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class GroupUse:
    """
    What a group is for.

    Attributes:
        parallelism: The kind, ``unknown`` where it cannot be told.
        why: What tells so, in words.
    """

    parallelism: Parallelism
    why: str


@dataclass(frozen=True, slots=True)
class _Traffic:
    """Calls of a group on all traced ranks: by operation, by size, seconds in all and exposed, per step."""

    operations: Counter[str]
    sizes: Counter[float]
    duration_s: float
    exposed_s: float
    rank_steps: int


def uses(job: Job) -> tuple[GroupUse, ...]:
    """The use of each group of the job, in their order, and last that of calls that name no group."""
    every = (*job.groups, Group("", size=job.world_size))
    return tuple(
        _use(job, group, _traffic(job, index if index < len(job.groups) else -1))
        for index, group in enumerate(every)
    )


def _traffic(job: Job, index: int) -> _Traffic:
    operations: Counter[str] = Counter()
    sizes: Counter[float] = Counter()
    duration_s = exposed_s = 0.0
    rank_steps = 0
    for trace in job.ranks:
        rows = np.flatnonzero(trace.collectives.group == index)
        if not rows.size:
            continue
        operations.update(trace.collectives.operation[row] for row in rows.tolist())
        sizes.update(message_bytes(trace.collectives, job.groups, job.world_size)[rows].tolist())
        duration_s += float(trace.collectives.duration_s[rows].sum())
        exposed_s += float(trace.collectives.exposed_s[rows].sum())
        rank_steps += step_count(trace)
    for row in job.summary:
        if row.group == index:
            operations[row.operation] += row.count
    return _Traffic(operations, sizes, duration_s, exposed_s, max(1, rank_steps))


def step_count(trace: RankTrace) -> int:
    """Steps of a rank; one where none are marked."""
    return max(1, len(trace.steps))


def _use(job: Job, group: Group, traffic: _Traffic) -> GroupUse:
    named = by_name((group.description, group.name))
    if named is not None:
        return named
    operations = {name for name in traffic.operations if name not in ("barrier", "unknown")}
    if not operations:
        return GroupUse(Parallelism.UNKNOWN, "it sends nothing that tells")
    if operations <= _POINT_TO_POINT:
        return GroupUse(Parallelism.PIPELINE, "it only sends and receives between pairs")
    if operations & _EXCHANGES:
        return GroupUse(Parallelism.EXPERT, "it exchanges all to all, as experts do")
    return _of_gradients_or_layers(job, group, traffic, operations)


def _of_gradients_or_layers(job: Job, group: Group, traffic: _Traffic, operations: set[str]) -> GroupUse:
    """Data parallelism hides behind compute or shards parameters; tensor parallelism repeats in layers."""
    if not operations <= _GRADIENT_OPERATIONS:
        return GroupUse(Parallelism.UNKNOWN, "its operations fit several")
    timed = np.isfinite(traffic.exposed_s) and traffic.duration_s > 0
    hidden = 1 - traffic.exposed_s / traffic.duration_s if timed else float("nan")
    most_alike = max(traffic.sizes.values(), default=0) / traffic.rank_steps
    gathers, scatters = traffic.operations["all_gather"], traffic.operations["reduce_scatter"]
    if scatters and gathers > 1.5 * scatters and "all_reduce" not in operations:
        return GroupUse(
            Parallelism.DATA, "twice as many all_gather as reduce_scatter, as sharded parameters need"
        )
    if "all_reduce" in operations and most_alike >= LAYERED_CALLS and hidden < 1 - EXPOSED_SHARE:
        return GroupUse(Parallelism.TENSOR, "many exposed calls of one size in each step, as layers make")
    if hidden >= OVERLAPPED_SHARE:
        return GroupUse(Parallelism.DATA, "its calls hide behind compute, as gradients do")
    if size_of(group) == job.world_size and job.world_size and most_alike < LAYERED_CALLS and not gathers:
        return GroupUse(Parallelism.DATA, "all ranks of the job, and few calls of one size in a step")
    return GroupUse(Parallelism.UNKNOWN, "its operations fit data and tensor parallelism")


def by_name(names: Sequence[str]) -> GroupUse | None:
    """The use that a group's own words tell; None where they say nothing."""
    for name in names:
        words = re.sub(r"[_:.\-/]+", " ", name.lower())
        spelled = f"{name.lower()} {words}"
        if _JOINED.search(spelled):
            return GroupUse(Parallelism.UNKNOWN, f"its name {name!r} joins several")
        for kind, pattern in _WORDS:
            if re.search(pattern, spelled):
                return GroupUse(kind, f"its name is {name!r}")
    return None
