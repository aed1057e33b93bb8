"""Across domains in one piece: rings and trees that run over every rail, in-network sums, direct exchange."""

import numpy as np
from numpy.typing import ArrayLike

from core.checks import count
from core.collectives.formulas import inputs
from core.collectives.formulas.cost import Cost, cost
from core.collectives.formulas.in_switch import in_switch_factor, nvls_all_reduce
from core.collectives.formulas.ring import ring_all_reduce
from core.collectives.formulas.tree import depth, tree_all_reduce, tree_factor
from core.collectives.formulas.two_level import at_once
from core.hardware import Hop


def railed_ring_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, rails: int | None = None
) -> Cost:
    """
    One ring through all GPUs, entering each domain by one NIC and leaving by another, over all rails at once.

    A step takes the mean latency of the ring's hops; the rate is the lesser of a GPU's links and
    the domain's NICs. ``rails`` counts those in use, all of them if None.
    """
    return _railed_ring(2, size_bytes, local_ranks, domains, inner, outer, rails)


def railed_ring_all_gather(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, rails: int | None = None
) -> Cost:
    """One round of that ring: n-1 steps of M/n."""
    return _railed_ring(1, size_bytes, local_ranks, domains, inner, outer, rails)


def railed_ring_reduce_scatter(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, rails: int | None = None
) -> Cost:
    """One round of that ring, adding on the way."""
    return _railed_ring(1, size_bytes, local_ranks, domains, inner, outer, rails)


def railed_chain_broadcast(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, rails: int | None = None
) -> Cost:
    """The ring as a chain: the last GPU starts after all hops, then M at the slowest rate."""
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    step_s, rate = _ring_hop(levels.local_ranks, levels.domains, inner, outer, rails)
    return cost(
        (levels.ranks - 1) * step_s,
        levels.size_bytes / rate,
        size_bytes=levels.size_bytes,
        ranks=levels.ranks,
    )


def railed_chain_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop, *, rails: int | None = None
) -> Cost:
    """The broadcast run backwards, adding on the way."""
    return railed_chain_broadcast(size_bytes, local_ranks, domains, inner, outer, rails=rails)


def railed_tree_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """
    Chains inside the domains, double trees across them, cut small so that both run at once.

    With exactly two domains every NIC carries its share of the message once per direction.
    """
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    if levels.domains == 1:
        return tree_all_reduce(levels.size_bytes, levels.local_ranks, inner)
    latency_s = 2 * ((levels.local_ranks - 1) * inner.latency_s + depth(levels.domains) * outer.latency_s)
    inside_s = tree_factor(levels.local_ranks) * levels.size_bytes / inner.bytes_per_s
    across_s = tree_factor(levels.domains) * levels.size_bytes / levels.local_ranks / outer.bytes_per_s
    return cost(latency_s, np.maximum(inside_s, across_s), size_bytes=levels.size_bytes, ranks=levels.ranks)


def nvlstree_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The switch adds and copies inside; double trees carry each GPU's share across; both at once."""
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    inside = nvls_all_reduce(levels.size_bytes, levels.local_ranks, inner)
    return at_once(inside, tree_all_reduce(levels.rail_bytes, levels.domains, outer))


def sharp_all_reduce(size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop) -> Cost:
    """Reduce-scatter and all-gather inside; in-network reduction across, sent by the NICs once."""
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    inside = ring_all_reduce(levels.size_bytes, levels.local_ranks, inner)
    return inside + _added_across(levels, outer)


def pipelined_sharp_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The same in pieces, so that the scale-up domains and the network work at once."""
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    inside = ring_all_reduce(levels.size_bytes, levels.local_ranks, inner)
    return at_once(inside, _added_across(levels, outer))


def nvls_sharp_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """In-network reduction on both levels at once: each link carries about one message."""
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    inside = nvls_all_reduce(levels.size_bytes, levels.local_ranks, inner)
    return at_once(inside, _added_across(levels, outer))


def _added_across(levels: inputs.TwoLevels, outer: Hop) -> Cost:
    """Each GPU's share goes up to the network's switches once and comes back summed."""
    across_s = levels.rail_bytes / outer.bytes_per_s
    return cost(outer.latency_s, across_s, size_bytes=levels.size_bytes, ranks=levels.domains)


def two_level_all_to_all(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """What stays in the domain and what leaves it move at once, each on its own wires."""
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    latency_s = (inner.latency_s if levels.local_ranks > 1 else 0.0) + (
        outer.latency_s if levels.domains > 1 else 0.0
    )
    inside_s = (levels.local_ranks - 1) / levels.ranks * levels.size_bytes / inner.bytes_per_s
    across_s = (levels.ranks - levels.local_ranks) / levels.ranks * levels.size_bytes / outer.bytes_per_s
    return cost(latency_s, np.maximum(inside_s, across_s), size_bytes=levels.size_bytes, ranks=levels.ranks)


def two_level_send_recv(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The slowest pair decides: the one that crosses the network, where there is one."""
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    inside_s = levels.size_bytes / inner.bytes_per_s if levels.local_ranks > 1 else 0.0 * levels.size_bytes
    across_s = levels.size_bytes / outer.bytes_per_s if levels.domains > 1 else 0.0 * levels.size_bytes
    latency_s = max(
        inner.latency_s if levels.local_ranks > 1 else 0.0, outer.latency_s if levels.domains > 1 else 0.0
    )
    return cost(latency_s, np.maximum(inside_s, across_s), size_bytes=levels.size_bytes, ranks=levels.ranks)


def nvlstree_factor(local_ranks: int, domains: int) -> float:
    """Messages per GPU on both levels together."""
    inside = float(in_switch_factor(local_ranks)) if local_ranks > 1 else 0.0
    return inside + float(tree_factor(domains)) / local_ranks


def _railed_ring(
    rounds: int,
    size_bytes: ArrayLike,
    local_ranks: int,
    domains: int,
    inner: Hop,
    outer: Hop,
    rails: int | None,
) -> Cost:
    levels = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    step_s, rate = _ring_hop(levels.local_ranks, levels.domains, inner, outer, rails)
    transfer_s = rounds * (levels.ranks - 1) / levels.ranks * levels.size_bytes / rate
    return cost(
        rounds * (levels.ranks - 1) * step_s, transfer_s, size_bytes=levels.size_bytes, ranks=levels.ranks
    )


def _ring_hop(
    local_ranks: int, domains: int, inner: Hop, outer: Hop, rails: int | None
) -> tuple[float, float]:
    """Mean latency of a hop and the rate of the slowest."""
    used = local_ranks if rails is None else count("rails", rails, most=local_ranks)
    crossings = domains if domains > 1 else 0
    ranks = local_ranks * domains
    step_s = ((ranks - crossings) * inner.latency_s + crossings * outer.latency_s) / ranks
    if domains == 1:
        return step_s, inner.bytes_per_s
    if local_ranks == 1:
        return step_s, outer.bytes_per_s
    return step_s, min(inner.bytes_per_s, used * outer.bytes_per_s)
