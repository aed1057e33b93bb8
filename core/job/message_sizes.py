"""Bytes of traced collectives as nccl-tests counts them, and the collective that the model prices them as."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats
from core.traces.records import Collectives, Group

PRICED_AS: Mapping[str, str] = MappingProxyType(
    {
        "all_reduce": "all_reduce",
        "all_gather": "all_gather",
        "reduce_scatter": "reduce_scatter",
        "broadcast": "broadcast",
        "reduce": "reduce",
        "all_to_all": "all_to_all",
        "moe_dispatch": "all_to_all",
        "moe_combine": "all_to_all",
        "send": "send_recv",
        "recv": "send_recv",
        "send_recv": "send_recv",
    }
)
"""The collective of the model by traced operation; a barrier or an unknown operation has none."""
PAIRWISE = ("send", "recv", "send_recv")
"""Between two ranks, whatever the size of their group."""


def message_bytes(collectives: Collectives, groups: tuple[Group, ...], world_size: int | None) -> Floats:
    """Bytes of each call as nccl-tests counts them; NaN where the trace does not tell."""
    ranks = group_sizes(collectives, groups, world_size)
    amounts = np.full(len(collectives), np.nan)
    for operation in collectives.operation.names:
        rows = collectives.operation.equals(operation)
        parts = (collectives.bytes_in[rows], collectives.bytes_out[rows], ranks[rows])
        amounts[rows] = as_nccl_tests(operation, *parts)
    return amounts


def as_nccl_tests(operation: str, bytes_in: ArrayLike, bytes_out: ArrayLike, ranks: ArrayLike) -> Floats:
    """
    Bytes as nccl-tests counts them from those of one rank's tensors; NaN where these are unknown.

    All_gather: the gathered output; reduce_scatter: the whole input; everything else: what a rank holds.
    Where only the part of one rank is known, it is multiplied by the ranks of the group.
    """
    into, out = (_known(column) for column in (bytes_in, bytes_out))
    if operation == "all_gather":
        return np.where(np.isnan(out), into * np.asarray(ranks), out)
    if operation == "reduce_scatter":
        return np.where(np.isnan(into), out * np.asarray(ranks), into)
    return np.fmax(into, out) if operation in PAIRWISE else np.where(np.isnan(into), out, into)


def _known(column: ArrayLike) -> Floats:
    amounts = np.asarray(column, np.float64)
    return np.where(amounts >= 0, amounts, np.nan)


def group_sizes(collectives: Collectives, groups: tuple[Group, ...], world_size: int | None) -> Floats:
    """Ranks in the group of each call; the world's where the call names none; NaN where neither is known."""
    sizes = [size_of(group) for group in groups]
    table = np.array([*(np.nan if size is None else size for size in sizes), world_size or np.nan])
    rows: Floats = table[collectives.group]
    return rows


def size_of(group: Group) -> int | None:
    """Ranks of a group, from its list where it has no number."""
    return len(group.ranks) if group.size is None and group.ranks is not None else group.size
