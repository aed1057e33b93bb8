"""What the printed rates fit where a log names no collective or ranks: offered, never assumed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.measurement import Sample
from core.measurement.bus_factor import bus_factor

_LEAST_RATE = 1e9
"""Bytes/s from which two printed decimals give the ratio to half a percent."""
_ROUNDING_BYTES_PER_S = 1.2e7
_CLOSE = 3e-4
_RANKS_MOST = 64
_FIRST = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce", "send_recv")


@dataclass(frozen=True, slots=True)
class Ratio:
    """Bus over algorithm bandwidth as printed, and how far rounding may have moved it."""

    value: float
    slack: float

    def near(self, factor: float | None) -> bool:
        """Whether the ratio can have come from this factor."""
        return factor is not None and abs(self.value / factor - 1) <= self.slack


def printed_ratio(samples: Iterable[Sample]) -> Ratio | None:
    """The ratio of the row where rounding to two decimals weighs least."""
    best: tuple[float, float] | None = None
    for sample in samples:
        slow, bus = sample.reported_algbw_bytes_per_s, sample.reported_busbw_bytes_per_s
        if slow and bus is not None and slow >= _LEAST_RATE and (best is None or slow > best[0]):
            best = (slow, bus / slow)
    return None if best is None else Ratio(best[1], _ROUNDING_BYTES_PER_S / best[0] + _CLOSE)


def fits(ratio: Ratio | None, collective: str, ranks: int | None) -> bool:
    """Whether a printed ratio can be this collective's at this number of ranks (any, if None)."""
    if ratio is None or ranks == 1:
        return True
    counts = [ranks] if ranks is not None else range(2, 4096)
    return any(ratio.near(bus_factor(collective, count)) for count in counts)


def collective_guess(
    samples: Sequence[Sample], ranks: int | None, redop: str | None, root: str | None
) -> str | None:
    """The collective that ratio, reduction, root and unchecked in-place results leave, if one."""
    ratio = printed_ratio(samples)
    if ratio is None or ranks == 1:
        return None
    left = [name for name in _FIRST if _reduces(name, redop) and fits(ratio, name, ranks)]
    rooted = root is not None and root not in ("", "-1")
    left = [name for name in left if root is None or rooted == (name in ("broadcast", "reduce"))]
    if "all_to_all" in left and "all_gather" in left:
        left.remove("all_gather" if _unchecked_in_place(samples) else "all_to_all")
    if "all_reduce" in left and "send_recv" in left:
        left.remove("all_reduce" if _unchecked_in_place(samples) else "send_recv")
    return left[0] if len(left) == 1 else None


def _reduces(name: str, redop: str | None) -> bool:
    """nccl-tests prints ``sum`` for send_recv, ``none`` for what only moves data."""
    if redop is None:
        return True
    moves = redop in ("none", "")
    return moves == (name in ("all_gather", "all_to_all", "broadcast"))


def _unchecked_in_place(samples: Sequence[Sample]) -> bool:
    """all_to_all and send_recv check their out-of-place results only."""
    outside = any(s.wrong is not None for s in samples if s.placement == "out-of-place")
    inside = [s.wrong for s in samples if s.placement == "in-place"]
    return outside and bool(inside) and all(wrong is None for wrong in inside)


def ranks_guess(samples: Sequence[Sample], collective: str | None) -> int | None:
    """The number of ranks, up to 64, that a printed ratio fits and no other does."""
    ratio = printed_ratio(samples)
    if ratio is None or collective is None:
        return None
    close = [n for n in range(2, _RANKS_MOST + 1) if ratio.near(bus_factor(collective, n))]
    return close[0] if len(close) == 1 else None
