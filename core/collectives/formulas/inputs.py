"""What a collective function accepts: sizes, ranks and hops, checked once by name."""

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats, InputError, count, number, sizes
from core.hardware import Hop


def counts(name: str, value: ArrayLike, *, least: int = 1) -> Floats:
    """Whole numbers as a float array, so that formulas divide without care."""
    array = np.asarray(value)
    if array.dtype == bool or array.dtype.kind not in "iuf":
        message = f"{name}: whole numbers of at least {least}, not {value!r}"
        raise InputError(message)
    floats = array.astype(np.float64)
    if not np.all(np.isfinite(floats)) or np.any(floats != np.floor(floats)) or np.any(floats < least):
        message = f"{name}: whole numbers of at least {least}"
        raise InputError(message)
    return floats


def check_hop(hop: Hop, where: str = "") -> Hop:
    """A hop with a finite latency, not negative, and a finite rate above zero."""
    number(f"{where}latency_s", hop.latency_s, least=0)
    number(f"{where}bytes_per_s", hop.bytes_per_s, above=0)
    return hop


def one_level(size_bytes: ArrayLike, ranks: ArrayLike, hop: Hop) -> tuple[Floats, Floats]:
    """Checked sizes and ranks of a collective on one level."""
    check_hop(hop)
    return sizes("size_bytes", size_bytes), counts("ranks", ranks)


def two_level(
    size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop
) -> tuple[Floats, int, int]:
    """Checked sizes, GPUs of a domain and domains of a collective on two levels."""
    check_hop(inner, "inner ")
    check_hop(outer, "outer ")
    return (
        sizes("size_bytes", size_bytes),
        count("local_ranks", local_ranks),
        count("domains", domains),
    )
