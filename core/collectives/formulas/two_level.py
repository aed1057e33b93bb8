"""Two levels: the work of each domain on its own links, and one share per GPU across the network."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from core.checks import choice
from core.collectives.formulas import inputs
from core.collectives.formulas.cost import Cost
from core.collectives.formulas.ring import chain_broadcast, ring_all_gather, ring_all_reduce
from core.collectives.formulas.tree import tree_all_reduce, tree_broadcast
from core.hardware import Hop

OneLevel = Callable[[ArrayLike, ArrayLike, Hop], Cost]
ALL_REDUCE_ACROSS: dict[str, OneLevel] = {"ring": ring_all_reduce, "tree": tree_all_reduce}
BROADCAST_ACROSS: dict[str, OneLevel] = {"ring": chain_broadcast, "tree": tree_broadcast}


def two_level_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, across: str = "ring"
) -> Cost:
    """
    Reduce-scatter in the domain, all-reduce of each GPU's share across, all-gather: one after the other.

    ``outer`` is the NIC rate per GPU, all rails used; ``across`` is ``ring`` or ``tree``.
    """
    return one_by_one(*_all_reduce(size_bytes, local_ranks, domains, inner, outer, across))


def pipelined_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, across: str = "ring"
) -> Cost:
    """The same cut small, both levels at once: latencies add, the slower transfer decides."""
    return at_once(*_all_reduce(size_bytes, local_ranks, domains, inner, outer, across))


def two_level_all_gather(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """All-gather of M/l across on every rail, then of M in the domain. M is the full output."""
    return one_by_one(*_all_gather(size_bytes, local_ranks, domains, inner, outer))


def pipelined_all_gather(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The same in pieces, so that the scale-up domains and the network work at once."""
    return at_once(*_all_gather(size_bytes, local_ranks, domains, inner, outer))


def two_level_reduce_scatter(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The all-gather mirrored: in the domain first, then across. M is the full input."""
    return two_level_all_gather(size_bytes, local_ranks, domains, inner, outer)


def pipelined_reduce_scatter(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The same in pieces, so that the scale-up domains and the network work at once."""
    return pipelined_all_gather(size_bytes, local_ranks, domains, inner, outer)


def two_level_broadcast(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, across: str = "ring"
) -> Cost:
    """M/l down every rail, then an all-gather in each domain; the root's own spreading hides."""
    return one_by_one(*_broadcast(size_bytes, local_ranks, domains, inner, outer, across))


def pipelined_broadcast(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, across: str = "ring"
) -> Cost:
    """The same in pieces, so that the scale-up domains and the network work at once."""
    return at_once(*_broadcast(size_bytes, local_ranks, domains, inner, outer, across))


def two_level_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, across: str = "ring"
) -> Cost:
    """The broadcast mirrored: reduce-scatter in each domain, then a sum down every rail."""
    return two_level_broadcast(size_bytes, local_ranks, domains, inner, outer, across=across)


def pipelined_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, across: str = "ring"
) -> Cost:
    """The same in pieces, so that the scale-up domains and the network work at once."""
    return pipelined_broadcast(size_bytes, local_ranks, domains, inner, outer, across=across)


def _all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, across: str
) -> tuple[Cost, Cost]:
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    over_rails = ALL_REDUCE_ACROSS[choice("across", across, ALL_REDUCE_ACROSS)]
    inside = ring_all_reduce(levels.size_bytes, levels.local_ranks, inner)
    return inside, over_rails(levels.rail_bytes, levels.domains, outer)


def _all_gather(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> tuple[Cost, Cost]:
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    inside = ring_all_gather(levels.size_bytes, levels.local_ranks, inner)
    return inside, ring_all_gather(levels.rail_bytes, levels.domains, outer)


def _broadcast(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, across: str
) -> tuple[Cost, Cost]:
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    over_rails = BROADCAST_ACROSS[choice("across", across, BROADCAST_ACROSS)]
    in_domain = chain_broadcast if levels.domains == 1 else ring_all_gather
    inside = in_domain(levels.size_bytes, levels.local_ranks, inner)
    return inside, over_rails(levels.rail_bytes, levels.domains, outer)


def one_by_one(inside: Cost, across: Cost) -> Cost:
    """The levels one after the other: every part adds up."""
    return inside + across


def at_once(inside: Cost, across: Cost) -> Cost:
    """The levels overlap: latencies add, the slower transfer hides the other."""
    return Cost(
        inside.launch_s + across.launch_s,
        inside.latency_s + across.latency_s,
        np.maximum(inside.transfer_s, across.transfer_s),
        inside.reduction_s + across.reduction_s,
    )
