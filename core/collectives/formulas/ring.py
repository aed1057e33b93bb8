"""Ring: every rank sends to the next; the fewest bytes, the most steps."""

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats
from core.collectives.formulas.cost import Cost, cost
from core.collectives.formulas.inputs import one_level
from core.hardware import Hop


def ring_all_reduce(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """
    Reduce-scatter, then all-gather: two rounds of n-1 steps with one block of M/n each.

    ``size_bytes`` M is what every rank holds.
    """
    return _rounds(2, size_bytes, ranks, hop)


def ring_all_gather(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """n-1 steps; in each a block of M/n moves on. M is the full output."""
    return _rounds(1, size_bytes, ranks, hop)


def ring_reduce_scatter(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """The all-gather run backwards: n-1 steps of M/n, adding on the way. M is the full input."""
    return _rounds(1, size_bytes, ranks, hop)


def chain_broadcast(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """Every rank hands on what arrives, cut small: the last one starts n-1 steps late."""
    sizes, n = one_level(size_bytes, ranks, hop)
    return cost((n - 1) * hop.latency_s, sizes / hop.bytes_per_s, size_bytes=sizes, ranks=n)


def chain_reduce(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """The broadcast run backwards, adding on the way."""
    return chain_broadcast(size_bytes, ranks, hop)


def round_factor(ranks: Floats | float) -> Floats | float:
    """Share of the message that one round of a ring puts on each wire: (n-1)/n."""
    return (np.asarray(ranks) - 1) / ranks


def _rounds(rounds: int, size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    sizes, n = one_level(size_bytes, ranks, hop)
    transfer_s = rounds * round_factor(n) * sizes / hop.bytes_per_s
    return cost(rounds * (n - 1) * hop.latency_s, transfer_s, size_bytes=sizes, ranks=n)
