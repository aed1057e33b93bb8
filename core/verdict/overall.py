"""The verdict of a run from those of its sizes and pairs."""

from collections import Counter
from collections.abc import Sequence

from core.verdict.reasons import LARGE_BYTES, LATENCY_BOUND_MOST_BYTES
from core.verdict.records import PairVerdict, Reason, SizeVerdict, Status
from core.verdict.sizes import NEAR_LIMIT_RATIO, TOLERATED_SMALL_SHARE

TOLERATED_SHARE = 0.1
"""Share of slow sizes or pairs that a run may have and still be fine; more where all large sizes are."""
_LARGE_SIZES_LEAST = 2
ALL_SIZES_RATIO = 0.3
"""With more slow large sizes than this per slow latency-bound one, all sizes are slow, not latency alone."""
TRANSIENT_CODES = ("cold", "outlier")
EXPLAINED_CODES = ("nvls_above_wire", "two_domains_share", "rings_between_two", "direct_copies")
UNSPECIFIC_CODES = ("below_the_band", "below_the_wire", "latency_bound")
EARLY = Reason(
    "better_than_expected",
    "small messages are faster than on calibrated systems of this kind: a later library, CUDA "
    "graphs or registered buffers",
    "low latencies",
)
NOTHING_JUDGED = Reason("nothing_judged", "nothing here has an expectation")


def overall(sizes: Sequence[SizeVerdict], pairs: Sequence[PairVerdict]) -> tuple[Status, Reason]:
    """The worst that is no accident: wrong, impossible, low where more than a tenth is, high, fine."""
    verdicts: list[SizeVerdict | PairVerdict] = [*sizes, *pairs]
    for status in (Status.WRONG, Status.IMPOSSIBLE):
        if any(verdict.status is status for verdict in verdicts):
            return status, _commonest(verdicts, status)
    statuses = [verdict.status for verdict in verdicts if verdict.status is not Status.UNKNOWN]
    if not statuses:
        return Status.UNKNOWN, NOTHING_JUDGED
    low = [
        verdict.reason.code
        for verdict in verdicts
        if verdict.status is Status.LOW and verdict.reason.code not in TRANSIENT_CODES
    ]
    if len(low) > _tolerated_share(sizes) * len(statuses) or "slow_link" in low:
        return Status.LOW, _commonest(verdicts, Status.LOW)
    fast = statuses.count(Status.HIGH) > len(statuses) / 2 or _all_large_high(sizes)
    if fast and not _near_fast_end(sizes):
        early = not any(pair.status is Status.HIGH for pair in pairs) and _only_small_high(sizes)
        return (Status.FINE, EARLY) if early else (Status.HIGH, _commonest(verdicts, Status.HIGH))
    return Status.FINE, _explained_rate(sizes) or Reason("as_expected", "as expected of this system")


def _tolerated_share(sizes: Sequence[SizeVerdict]) -> float:
    """More of the sizes may be slow where two large ones or more are fine: in the middle protocols switch."""
    large = [size.status for size in sizes if size.size_bytes >= LARGE_BYTES]
    fine = len(large) >= _LARGE_SIZES_LEAST and Status.LOW not in large
    return TOLERATED_SMALL_SHARE if fine else TOLERATED_SHARE


def _all_large_high(sizes: Sequence[SizeVerdict]) -> bool:
    """Whether every size that rates decide is faster than its interval, and nothing explains it."""
    large = [size for size in sizes if size.size_bytes >= LARGE_BYTES]
    unexplained = (size.status is Status.HIGH and size.reason.code not in EXPLAINED_CODES for size in large)
    return len(large) >= _LARGE_SIZES_LEAST and all(unexplained)


def _only_small_high(sizes: Sequence[SizeVerdict]) -> bool:
    """Whether no size that rates decide is faster than its interval."""
    return all(size.size_bytes <= LATENCY_BOUND_MOST_BYTES for size in sizes if size.status is Status.HIGH)


def _near_fast_end(sizes: Sequence[SizeVerdict]) -> bool:
    """Whether no size is faster than the fast end of its interval by more than a little."""
    return all(
        (size.low_s or 0.0) <= NEAR_LIMIT_RATIO * size.time_s for size in sizes if size.status is Status.HIGH
    )


def _explained_rate(sizes: Sequence[SizeVerdict]) -> Reason | None:
    """What explains the best rate where it lies above the link's, or below that of a tree."""
    explained = [
        size
        for size in sizes
        if size.reason.code in EXPLAINED_CODES and size.status in (Status.FINE, Status.HIGH)
    ]
    if not explained:
        return None
    best = max(explained, key=lambda size: size.size_bytes / size.time_s).reason
    linked = "" if best.code == "rings_between_two" else "its best rate is "
    return Reason(best.code, f"as expected of this system; {linked}{best.text}", best.short)


def _commonest(verdicts: Sequence[SizeVerdict | PairVerdict], status: Status) -> Reason:
    """The reason named most often, a named cause before the unspecific ones."""
    reasons = [
        verdict.reason
        for verdict in verdicts
        if verdict.status is status and verdict.reason.code not in TRANSIENT_CODES
    ]
    counts = Counter(reason.code for reason in reasons)
    specific = [code for code in counts if code not in UNSPECIFIC_CODES]
    code = max(specific or counts, key=lambda candidate: counts[candidate])
    if code == "latency_bound" and counts["below_the_band"] > ALL_SIZES_RATIO * counts[code]:
        code = "below_the_band"
    return next(reason for reason in reasons if reason.code == code)
