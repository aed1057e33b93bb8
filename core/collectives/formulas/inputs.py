"""What a collective function accepts: sizes, ranks and hops, checked once by name."""

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class TwoLevels:
    """A collective on two levels: its sizes, the GPUs of a domain that take part, and the domains."""

    size_bytes: Floats
    local_ranks: int
    domains: int

    @property
    def ranks(self) -> int:
        """GPUs of all domains."""
        return self.local_ranks * self.domains

    @property
    def rail_bytes(self) -> Floats:
        """Bytes of each of the parts that the GPUs of a domain divide a message into, one a rail."""
        return self.size_bytes / self.local_ranks


def two_level(size_bytes: ArrayLike, local_ranks: int, domains: int, inner: Hop, outer: Hop) -> TwoLevels:
    """Checked sizes, GPUs of a domain and domains; InputError names what no such collective has."""
    check_hop(inner, "inner ")
    check_hop(outer, "outer ")
    return TwoLevels(
        size_bytes=sizes("size_bytes", size_bytes),
        local_ranks=count("local_ranks", local_ranks),
        domains=count("domains", domains),
    )
