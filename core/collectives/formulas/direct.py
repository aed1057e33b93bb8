"""Direct: every rank talks to every other at once, in one step or two."""

from numpy.typing import ArrayLike

from core.collectives.formulas.cost import Cost, cost
from core.collectives.formulas.inputs import one_level
from core.collectives.formulas.ring import round_factor
from core.hardware import Hop


def one_shot_all_reduce(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """Every rank reads all M of its n-1 peers and adds: one step, n-1 times the bytes."""
    sizes, n = one_level(size_bytes, ranks, hop)
    return cost(hop.latency_s, (n - 1) * sizes / hop.bytes_per_s, size_bytes=sizes, ranks=n)


def two_shot_all_reduce(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """
    Every rank adds one n-th read from its peers, then all read the sums: two steps, a ring's bytes.

    It meets the one-shot at M = a B n / ((n-1)(n-2)).
    """
    sizes, n = one_level(size_bytes, ranks, hop)
    transfer_s = 2 * round_factor(n) * sizes / hop.bytes_per_s
    return cost(2 * hop.latency_s, transfer_s, size_bytes=sizes, ranks=n)


def direct_all_to_all(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """One step; every rank sends all but its own n-th of the M bytes that it owns."""
    sizes, n = one_level(size_bytes, ranks, hop)
    transfer_s = round_factor(n) * sizes / hop.bytes_per_s
    return cost(hop.latency_s, transfer_s, size_bytes=sizes, ranks=n)


def direct_all_gather(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """One step; every rank writes its block of M/n to all peers: a ring's bytes."""
    return direct_all_to_all(size_bytes, ranks, hop)


def direct_reduce_scatter(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """One step; every rank reads its own n-th from all peers and adds."""
    return direct_all_to_all(size_bytes, ranks, hop)


def send_recv(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """Every rank sends M to one peer and receives M from another: a + M/B."""
    sizes, n = one_level(size_bytes, ranks, hop)
    return cost(hop.latency_s, sizes / hop.bytes_per_s, size_bytes=sizes, ranks=n)
