"""In-switch reduction (NVLS, SHARP): the switch adds and copies, so a GPU sends its data once."""

from numpy.typing import ArrayLike

from core.checks import Floats, number
from core.collectives.formulas.cost import Cost, cost
from core.collectives.formulas.inputs import one_level
from core.collectives.formulas.ring import round_factor
from core.hardware import Hop


def nvls_all_reduce(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop, *, efficiency: float = 1.0) -> Cost:
    """
    The switch hands every rank the sum of its own n-th, which that rank sends to all at once.

    So a rank sends M for the sums of all and M/n of sum: (n+1)/n against a ring's 2(n-1)/n, a gain
    of 2(n-1)/(n+1): 1.556 with 8 ranks, never more than 2. ``hop.latency_s`` is that of the whole
    operation; ``efficiency``, above 0 and at most 1.1, scales the rate.
    """
    sizes, n = one_level(size_bytes, ranks, hop)
    transfer_s = in_switch_factor(n) * sizes / _rate(hop, efficiency)
    return cost(hop.latency_s, transfer_s, size_bytes=sizes, ranks=n)


def nvls_all_gather(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop, *, efficiency: float = 1.0) -> Cost:
    """The switch copies, but every rank still receives (n-1)/n of M: one step, no byte saved."""
    sizes, n = one_level(size_bytes, ranks, hop)
    transfer_s = round_factor(n) * sizes / _rate(hop, efficiency)
    return cost(hop.latency_s, transfer_s, size_bytes=sizes, ranks=n)


def nvls_reduce_scatter(
    size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop, *, efficiency: float = 1.0
) -> Cost:
    """The switch adds, but every rank still sends (n-1)/n of M: one step, no byte saved."""
    return nvls_all_gather(size_bytes, ranks, hop, efficiency=efficiency)


def in_switch_factor(ranks: Floats | float) -> Floats | float:
    """Messages that an in-switch all-reduce puts on each wire: (n+1)/n."""
    return (ranks + 1) / ranks


def _rate(hop: Hop, efficiency: float) -> float:
    return hop.bytes_per_s * number("efficiency", efficiency, above=0, most=1.1)
