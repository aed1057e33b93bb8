"""busbw and algbw: two views of (size, time, ranks), never stored as truth."""

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats, InputError, choice, sizes
from core.collectives.formulas.inputs import counts
from core.measurement.bus_factor import ROUNDS, WHOLE_MESSAGE

COLLECTIVES = (
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "all_to_all",
    "broadcast",
    "reduce",
    "send_recv",
)
MEASURED_COLLECTIVES = (*COLLECTIVES, "gather", "scatter")
"""What benchmarks measure and the cost model answers: the seven, and two that no calculator prices."""


def busbw_factor(collective: str, ranks: ArrayLike) -> Floats:
    """
    Bytes on each wire of a ring per byte of size: 2(n-1)/n, (n-1)/n or 1, an array like ``ranks``.

    It turns algorithm bandwidth into bus bandwidth for two ranks or more; alone nothing moves over a
    wire, so bus bandwidth is undefined there (``busbw_bytes_per_s`` answers NaN).

    Source: NVIDIA/nccl-tests, doc/PERFORMANCE.md.

    Raises:
        InputError: An unknown collective, or ranks that are no whole numbers of at least one.
    """
    rounds = ROUNDS.get(choice("collective", collective, (*ROUNDS, *WHOLE_MESSAGE)))
    n = counts("ranks", ranks)
    return np.asarray(np.ones_like(n) if rounds is None else rounds * (n - 1) / n)


def algbw_bytes_per_s(size_bytes: ArrayLike, time_s: ArrayLike) -> Floats:
    """Size over time, as the application sees it; NaN where no time passes."""
    amount, seconds = sizes("size_bytes", size_bytes), _times(time_s)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(seconds > 0, amount / seconds, np.nan)


def busbw_bytes_per_s(collective: str, ranks: ArrayLike, size_bytes: ArrayLike, time_s: ArrayLike) -> Floats:
    """
    The rate of a wire if the algorithm were a ring; comparable with unidirectional link rates.

    NaN where it means nothing: with one rank, or where no time passes. In-switch reduction can
    exceed the wire, because the factor assumes a ring.
    """
    factor = busbw_factor(collective, ranks)
    rate = algbw_bytes_per_s(size_bytes, time_s) * factor
    return np.where(counts("ranks", ranks) > 1, rate, np.nan)


def _times(time_s: ArrayLike) -> Floats:
    try:
        seconds = sizes("time_s", time_s)
    except InputError:
        message = "time_s: seconds, finite and not negative"
        raise InputError(message) from None
    return seconds
