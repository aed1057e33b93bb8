"""What the printed rates fit where a log names no collective or ranks: offered, never assumed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.measurement import Sample
from core.measurement.bus_factor import bus_factor

_LEAST_RATE = 1e8
"""Bytes/s from which two printed decimals give the ratio to an eighth: enough to tell most collectives."""
_ROUNDING_BYTES_PER_S = 1.2e7
_CLOSE = 3e-4
_RANKS_MOST = 64
_CANDIDATES = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce", "send_recv")


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
    largest: tuple[float, float] | None = None
    for sample in samples:
        algbw, busbw = sample.reported_algbw_bytes_per_s, sample.reported_busbw_bytes_per_s
        if algbw and busbw is not None and algbw >= _LEAST_RATE and (largest is None or algbw > largest[0]):
            largest = (algbw, busbw / algbw)
    return None if largest is None else Ratio(largest[1], _ROUNDING_BYTES_PER_S / largest[0] + _CLOSE)


def fits(ratio: Ratio | None, collective: str, ranks: int | None) -> bool:
    """Whether a printed ratio can be this collective's at this number of ranks (any, if None)."""
    if ratio is None or ranks == 1:
        return True
    counts = [ranks] if ranks is not None else range(2, 4096)
    return any(ratio.near(bus_factor(collective, count)) for count in counts)


def collective_guess(
    samples: Sequence[Sample], ranks: int | None, redop: str | None, root: str | None
) -> str | None:
    """
    The collective that ratio, reduction, root and unchecked in-place results leave, if one.

    Args:
        samples: With the rates that the tool printed.
        ranks: As the log lists them.
        redop: Reduction as printed; None where the table has no such column.
        root: Likewise the root; the tools print it for broadcast and reduce at least.
    """
    ratio = printed_ratio(samples)
    if ratio is None or ranks == 1:
        return None
    candidates = [name for name in _CANDIDATES if _reduces(name, redop) and fits(ratio, name, ranks)]
    rooted = root is not None and root not in ("", "-1")
    candidates = [name for name in candidates if rooted == (name in ("broadcast", "reduce"))]
    if "all_to_all" in candidates and "all_gather" in candidates:
        candidates.remove("all_gather" if _unchecked_in_place(samples) else "all_to_all")
    if "all_reduce" in candidates and "send_recv" in candidates:
        candidates.remove("all_reduce" if _unchecked_in_place(samples) else "send_recv")
    return candidates[0] if len(candidates) == 1 else None


def _reduces(name: str, redop: str | None) -> bool:
    """nccl-tests prints ``sum`` for send_recv, ``none`` for what only moves data."""
    if redop is None:
        return True
    moves = redop in ("none", "")
    return moves == (name in ("all_gather", "all_to_all", "broadcast"))


def _unchecked_in_place(samples: Sequence[Sample]) -> bool:
    """all_to_all and send_recv check their out-of-place results only."""
    checked_out_of_place = any(
        sample.wrong is not None for sample in samples if sample.placement == "out-of-place"
    )
    in_place_counts = [sample.wrong for sample in samples if sample.placement == "in-place"]
    return checked_out_of_place and bool(in_place_counts) and all(wrong is None for wrong in in_place_counts)


def ranks_guess(samples: Sequence[Sample], collective: str | None) -> int | None:
    """The number of ranks, up to 64, that a printed ratio fits and no other does."""
    ratio = printed_ratio(samples)
    if ratio is None or collective is None:
        return None
    matches = [count for count in range(2, _RANKS_MOST + 1) if ratio.near(bus_factor(collective, count))]
    return matches[0] if len(matches) == 1 else None
