"""busbw and algbw: two views of (size, time, ranks), never stored as truth."""

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats, InputError, choice, sizes
from core.collectives.formulas.inputs import counts

COLLECTIVES = (
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "all_to_all",
    "broadcast",
    "reduce",
    "send_recv",
)
_ROUNDS = {
    "all_reduce": 2,
    "all_gather": 1,
    "reduce_scatter": 1,
    "all_to_all": 1,
    "gather": 1,
    "scatter": 1,
}
MEASURED_COLLECTIVES = (*COLLECTIVES, "gather", "scatter")
"""What tools measure: the seven, and two that nobody prices."""


def busbw_factor(collective: str, ranks: ArrayLike) -> Floats:
    """
    What turns algbw into the rate of a wire: 2(n-1)/n, (n-1)/n or 1.

    Source: NVIDIA/nccl-tests, doc/PERFORMANCE.md.
    """
    rounds = _ROUNDS.get(choice("collective", collective, MEASURED_COLLECTIVES))
    n = counts("ranks", ranks)
    return np.asarray(np.ones_like(n) if rounds is None else rounds * (n - 1) / n)


def algbw_bytes_per_s(size_bytes: ArrayLike, time_s: ArrayLike) -> Floats:
    """Size over time, as the application sees it; NaN where no time passes."""
    amount, seconds = sizes("size_bytes", size_bytes), _times(time_s)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(seconds > 0, amount / seconds, np.nan)


def busbw_bytes_per_s(collective: str, ranks: ArrayLike, size_bytes: ArrayLike, time_s: ArrayLike) -> Floats:
    """
    The rate of a wire if the algorithm were a ring; comparable with one-way link rates.

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
