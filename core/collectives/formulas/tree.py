"""Trees: about twice the bytes of the message on every wire, but only log2(n) steps deep."""

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats
from core.collectives.formulas.cost import Cost, cost
from core.collectives.formulas.inputs import one_level
from core.hardware import Hop


def tree_all_reduce(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """
    Two complementary binary trees, half the message each, up to the root and down again.

    A rank is inner node of one tree and leaf of the other, so it sends M up and M down in all:
    2M/B for n >= 3. With two ranks each sends M once. Depth ceil(log2 n), up and down.
    """
    sizes, n = one_level(size_bytes, ranks, hop)
    transfer_s = tree_factor(n) * sizes / hop.bytes_per_s
    return cost(2 * depth(n) * hop.latency_s, transfer_s, size_bytes=sizes, ranks=n)


def tree_broadcast(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """Down two trees, cut small: M/B and ceil(log2 n) steps until the last rank starts."""
    sizes, n = one_level(size_bytes, ranks, hop)
    return cost(depth(n) * hop.latency_s, sizes / hop.bytes_per_s, size_bytes=sizes, ranks=n)


def tree_reduce(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> Cost:
    """The broadcast run backwards, adding on the way."""
    return tree_broadcast(size_bytes, ranks, hop)


def depth(ranks: Floats | float) -> Floats:
    """Steps from a leaf to the root: ceil(log2 n)."""
    return np.asarray(np.ceil(np.log2(ranks)), dtype=np.float64)


def tree_factor(ranks: Floats | float) -> Floats:
    """Messages that a tree all-reduce puts on each wire: 2, but 1 with two ranks and 0 with one."""
    return np.clip(np.asarray(ranks, dtype=np.float64) - 1, 0.0, 2.0)
