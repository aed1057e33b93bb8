"""Why one measured size has its status: the code and the sentence."""

from core.measurement.bus_factor import bus_factor
from core.units import GB, MIB, MS, US, whole_percent
from core.verdict.ranks import RankMapping
from core.verdict.records import Reason, Status
from core.verdict.sweep import BAND_TOLERANCE, MeasuredSweep

LARGE_BYTES = 32 * MIB
"""Sizes from which rates, not latency, tell a cause."""
COLD_START_RATIO = 1.8
"""The first size is a cold start where its measured over expected time is so many times that of the next."""
OUTLIER_RATIO = 1.4
"""One size is an outlier where that ratio is so many times those of its two neighbours, which are not low."""
LATENCY_BOUND_MOST_BYTES = 1 << 20
"""Above this size slow times are not put down to latency."""
_TIMER_S = 10 * MS
"""No latency of hosts and networks is so long; timers of lost or refused packets are."""
_BUSY_S = 1 * MS
"""No latency inside a host is so long; waiting for a core or a GPU that others use is."""

_RINGS = "rings at the full rate of the NICs"
_OR_HALF = "or a tree over half of them: NCCL_DEBUG=INFO, grep 'NET/IB : Using'"
_IN_BAND = Reason("as_expected", "within the band expected of this system")
_BETTER = Reason("better_than_expected", "faster than calibrated systems of this kind, yet possible")
_DIRECT = Reason(
    "direct_copies",
    "faster than calibrated boards that copy through host memory: a faster host, or direct copies",
)
_UNPREDICTED = Reason("no_calibration", "datasheet rates predict no latency-bound sizes")


def reason_for(
    measured: MeasuredSweep, index: int, status: Status, cause: Reason | None, ranks: RankMapping
) -> Reason:
    """
    The reason of one size's status.

    Args:
        measured: The sweep that the size belongs to.
        index: Its place in the sweep.
        status: How it compares with its floor and band.
        cause: What explains the slow large sizes of the sweep, if anything does.
        ranks: The ranks on their system.
    """
    if status is Status.WRONG:
        wrong = measured.samples[index].wrong
        text = f"{wrong} wrong values: the result is false, its time is no measurement"
        return Reason("wrong_results", text)
    if status is Status.IMPOSSIBLE:
        return _impossible(measured, index, ranks)
    if status is Status.LOW:
        return _slow(measured, index, cause)
    if status is Status.FINE and (rings := _rings_between_two(measured, index)):
        return rings
    if status is Status.FINE and measured.staged and measured.faster(index):
        return _DIRECT
    usual = {Status.UNKNOWN: _UNPREDICTED, Status.HIGH: _BETTER, Status.FINE: _IN_BAND}[status]
    return _above_link_rate(measured, index, ranks) or usual


def _impossible(measured: MeasuredSweep, index: int, ranks: RankMapping) -> Reason:
    links = measured.links
    across = links.domain_bytes_per_s
    rate = links.gpu_bytes_per_s if across is None else across / ranks.local_ranks
    text = (
        f"less than the {measured.floors_s[index] / US:.4g} us that the bytes need at {rate / GB:.4g} GB/s "
        "unidirectional per GPU: another system, both directions counted, or not all data moved"
    )
    return Reason("faster_than_the_wire", text)


def _slow(measured: MeasuredSweep, index: int, cause: Reason | None) -> Reason:
    size_bytes = measured.samples[index].size_bytes
    if _is_cold_start(measured, index):
        text = "cold start: the first size of the sweep, while connections and clocks still warm up"
        return Reason("cold", text)
    if _is_outlier(measured, index):
        return Reason("outlier", "its neighbours in size are as expected: one disturbed measurement")
    if cause is not None and size_bytes > LATENCY_BOUND_MOST_BYTES:
        return cause
    if size_bytes <= LATENCY_BOUND_MOST_BYTES and measured.latency_bound(index):
        return _late(measured, index)
    return cause or Reason("below_the_band", "slower than systems of this kind; no known cause fits")


def _late(measured: MeasuredSweep, index: int) -> Reason:
    """Why a small message is slow: latency, or a wait that is too long for one."""
    ratio = measured.ratio(index)
    late_s = measured.samples[index].time_s * (1 - 1 / ratio)
    if late_s > _TIMER_S:
        text = f"{late_s / MS:.3g} ms more than expected, as where packets are lost and timers run out"
        return Reason("below_the_band", text, "timers of lost packets may have run out")
    if late_s > _BUSY_S and measured.links.domain_bytes_per_s is None:
        text = f"{late_s / MS:.3g} ms more than expected, as where ranks wait for a core or a GPU in use"
        return Reason("below_the_band", text, "ranks may share a core or a GPU")
    text = f"latency-bound: {ratio:.2g}× the expected time, which host and network latency decide"
    return Reason("latency_bound", text)


def _is_cold_start(measured: MeasuredSweep, index: int) -> bool:
    following = measured.following[index]
    if measured.previous[index] is not None or following is None:
        return False
    return measured.ratio(index) > COLD_START_RATIO * measured.ratio(following)


def _is_outlier(measured: MeasuredSweep, index: int) -> bool:
    previous, following = measured.previous[index], measured.following[index]
    if previous is None or following is None:
        return False
    if Status.LOW in (measured.status(previous), measured.status(following)):
        return False
    slowest = max(measured.ratio(previous), measured.ratio(following))
    return measured.ratio(index) > OUTLIER_RATIO * slowest


def _rings_between_two(measured: MeasuredSweep, index: int) -> Reason | None:
    """Why a rate below a tree's is right between two nodes."""
    expected = measured.expected
    factor = bus_factor(expected.collective, expected.ranks)
    slow_end_s = float(expected.high_s[index]) * (1 + BAND_TOLERANCE)
    if measured.links.domain_bytes_per_s is None or factor is None or measured.times_s[index] <= slow_end_s:
        return None
    if measured.high_s[index] <= expected.high_s[index]:
        return None
    rates = [factor * measured.samples[index].size_bytes / time_s / GB for time_s in (
        measured.times_s[index], expected.time_s[index])]  # fmt: skip
    by_tree = (
        f"between two nodes a tree over all of them may show {rates[1]:.3g} GB/s, which no larger number "
        "of nodes reaches"
    )
    if measured.rings_named:
        text = f"{_RINGS} ({rates[0]:.3g} GB/s); {by_tree}"
        return Reason("rings_between_two", text, _RINGS)
    text = f"as {_RINGS} ({rates[0]:.3g} GB/s), {_OR_HALF} (or a run on 3 nodes) tells; {by_tree}"
    return Reason("rings_between_two", text, f"as {_RINGS}, {_OR_HALF} tells")


def _above_link_rate(measured: MeasuredSweep, index: int, ranks: RankMapping) -> Reason | None:
    """Why a bus bandwidth above 100 % of the link is right."""
    expected, links = measured.expected, measured.links
    factor = bus_factor(expected.collective, expected.ranks)
    if factor is None:
        return None
    busbw = factor * measured.samples[index].size_bytes / measured.times_s[index]
    if links.domain_bytes_per_s is None:
        rate = links.gpu_bytes_per_s
        if busbw <= rate or not links.in_network_reduction:
            return None
        share = f"{whole_percent(busbw / rate)} of the {rate / GB:.4g} GB/s link"
        text = f"{share}, as in-network reduction (NVLS) allows"
        return Reason("nvls_above_wire", text)
    rate = links.domain_bytes_per_s
    between_two = expected.collective == "all_reduce" and ranks.domains == 2  # noqa: PLR2004 (a tree of two)
    if not between_two or busbw <= rate:
        return None
    text = (
        f"above the {rate / GB:.4g} GB/s of all NICs, as a tree between two domains allows: "
        "each NIC carries half of the data"
    )
    return Reason("two_domains_share", text)
