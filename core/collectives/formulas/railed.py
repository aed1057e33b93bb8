"""Across domains in one piece: rings and trees that run over every rail, in-network sums, direct exchange."""

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats, count
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
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    step_s, rate = _ring_hop(local, n, inner, outer, rails)
    return cost((local * n - 1) * step_s, sizes / rate, size_bytes=sizes, ranks=local * n)


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
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    if n == 1:
        return tree_all_reduce(sizes, local, inner)
    latency_s = 2 * ((local - 1) * inner.latency_s + depth(n) * outer.latency_s)
    inside_s = tree_factor(local) * sizes / inner.bytes_per_s
    across_s = tree_factor(n) * sizes / local / outer.bytes_per_s
    return cost(latency_s, np.maximum(inside_s, across_s), size_bytes=sizes, ranks=local * n)


def nvlstree_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The switch adds and copies inside; double trees carry each GPU's share across; both at once."""
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    return at_once(nvls_all_reduce(sizes, local, inner), tree_all_reduce(sizes / local, n, outer))


def sharp_all_reduce(size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop) -> Cost:
    """Reduce-scatter and all-gather inside; the network's switches add what the NICs send once."""
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    return ring_all_reduce(sizes, local, inner) + _added_across(sizes, local, n, outer)


def pipelined_sharp_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The same in pieces, so that the scale-up domains and the network work at once."""
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    return at_once(ring_all_reduce(sizes, local, inner), _added_across(sizes, local, n, outer))


def nvls_sharp_all_reduce(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """Switches add on both levels at once: each wire carries about one message."""
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    return at_once(nvls_all_reduce(sizes, local, inner), _added_across(sizes, local, n, outer))


def _added_across(sizes: Floats, local: int, domains: int, outer: Hop) -> Cost:
    """Each GPU's share goes up to the network's switches once and comes back summed."""
    return cost(outer.latency_s, sizes / local / outer.bytes_per_s, size_bytes=sizes, ranks=domains)


def two_level_all_to_all(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """What stays in the domain and what leaves it move at once, each on its own wires."""
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    ranks = local * n
    latency_s = (inner.latency_s if local > 1 else 0.0) + (outer.latency_s if n > 1 else 0.0)
    inside_s = (local - 1) / ranks * sizes / inner.bytes_per_s
    across_s = (ranks - local) / ranks * sizes / outer.bytes_per_s
    return cost(latency_s, np.maximum(inside_s, across_s), size_bytes=sizes, ranks=ranks)


def two_level_send_recv(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> Cost:
    """The slowest pair decides: the one that crosses the network, where there is one."""
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    inside_s = sizes / inner.bytes_per_s if local > 1 else 0.0 * sizes
    across_s = sizes / outer.bytes_per_s if n > 1 else 0.0 * sizes
    latency_s = max(inner.latency_s if local > 1 else 0.0, outer.latency_s if n > 1 else 0.0)
    return cost(latency_s, np.maximum(inside_s, across_s), size_bytes=sizes, ranks=local * n)


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
    sizes, local, n = inputs.two_level(size_bytes, local_ranks, domains, inner, outer)
    ranks = local * n
    step_s, rate = _ring_hop(local, n, inner, outer, rails)
    transfer_s = rounds * (ranks - 1) / ranks * sizes / rate
    return cost(rounds * (ranks - 1) * step_s, transfer_s, size_bytes=sizes, ranks=ranks)


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
