"""The verdict in one line with its number, the same in page and shell."""

from collections.abc import Sequence
from typing import TypeVar

from core.measurement.bus_factor import bus_factor
from core.units import KIB, counted, format_rate, format_size, format_time
from core.verdict.records import PairVerdict, Reason, RunVerdict, SizeVerdict, Status

Part = TypeVar("Part", SizeVerdict, PairVerdict)

UNNAMED, SURE_WEIGHT, LIKELY_WEIGHT = ("below_the_band", "below_the_wire"), 0.6, 0.5
TOLD_IN_TIME_BYTES = 64 * KIB
"""Up to here a time says more than a rate."""
SHORT_CAUSES = {
    "another_gpu": "another GPU",
    "below_the_band": "no known cause",
    "below_the_wire": "no known cause",
    "direct_copies": "a faster host, or direct copies",
    "faster_than_the_wire": "faster than the link",
    "latency_bound": "latency-bound",
    "links_inactive": "links down",
    "nvls_above_wire": "in-network reduction (NVLS)",
    "nvls_off": "no in-network reduction (NVLS)",
    "pcie_instead_of_nvlink": "PCIe instead of NVLink",
    "slow_gpu": "one slow GPU",
    "slow_link": "one slow pair",
    "staged_copies": "staged through the host",
}
"""What a headline says of a cause; a reason with words of its own says those."""


def headline(verdict: RunVerdict) -> str:
    """
    The measured number, what was expected, the verdict and the likely cause.

    Such as ``46 GB/s busbw at 8 GiB, expected 360-490: low, because 1 of 8 NICs; try ...``. Of
    sizes with the run's verdict the largest is told, the smallest where latency decides; of pairs the worst.
    """
    cause = short_cause(verdict.reason)
    end = _end(verdict, cause) if cause else str(verdict.status)
    number = _number(verdict)
    if number is None:
        return f"{verdict.status}: {verdict.reason.text}"
    return f"{number}: {end}"


def _end(verdict: RunVerdict, cause: str) -> str:
    """Verdict and cause; of a low run also what to try next."""
    if verdict.status is not Status.LOW:
        step = f"; try {verdict.next_step.brief}" if verdict.next_step else ""
        return f"{verdict.status}; {cause}{step}"
    step = f"; try {verdict.next_step.brief}" if verdict.next_step else ""
    return f"{verdict.status}, {_named(verdict, cause)}{step}"


def _named(verdict: RunVerdict, cause: str) -> str:
    """The cause as surely as its weight allows; below a half the two likeliest."""
    likely = [item for item in verdict.causes if item.reason.code not in UNNAMED]
    weight = verdict.causes[0].weight if verdict.causes else 1.0
    unnamed = verdict.reason.code in UNNAMED
    if likely and weight < LIKELY_WEIGHT and (unnamed or verdict.reason.code == likely[0].reason.code):
        return f"perhaps {', or '.join(short_cause(item.reason) for item in likely[:2])}"
    sure = "because" if weight >= SURE_WEIGHT else "likely"
    return cause if unnamed else f"{sure} {cause}"


def headline_of_expected(verdict: RunVerdict) -> str:
    """The measured number and what was expected, without the verdict; empty where nothing was."""
    return _number(verdict) or ""


def measured_rates(verdict: RunVerdict) -> str:
    """Algorithm and bus bandwidth of the size in the headline, and how one makes the other; empty without."""
    factor = bus_factor(verdict.collective, verdict.ranks) if verdict.collective else None
    deciding = _deciding([size for size in verdict.sizes if size.expected_s], verdict)
    if factor is None or not deciding or verdict.status is Status.WRONG:
        return ""
    size = max(deciding, key=_size_bytes)
    algbw = size.size_bytes / size.time_s
    busbw = f"{format_rate(factor * algbw)} ({factor:.4g} × algbw)"
    return f"algbw {format_rate(algbw)}, busbw {busbw}, unidirectional per GPU"


def short_cause(reason: Reason) -> str:
    """A cause in a few words; empty where there is nothing to add."""
    return reason.short or SHORT_CAUSES.get(reason.code, "")


def _number(verdict: RunVerdict) -> str | None:
    """What was measured and expected where the verdict was decided; None where nothing was expected."""
    if verdict.status is Status.WRONG:
        return _wrong(verdict.sizes)
    sizes = [size for size in verdict.sizes if size.expected_s]
    if deciding := _deciding(sizes, verdict):
        latency_bound = verdict.status is Status.LOW and verdict.reason.code == "latency_bound"
        size = (min if latency_bound else max)(deciding, key=_size_bytes)
        return _of_size(size, verdict, in_time=latency_bound or size.size_bytes <= TOLD_IN_TIME_BYTES)
    if deciding_pairs := _deciding(verdict.pairs, verdict):
        return _of_pair(min(deciding_pairs, key=_share), len(deciding_pairs), len(verdict.pairs))
    return None


def _size_bytes(size: SizeVerdict) -> int:
    return size.size_bytes


def _share(pair: PairVerdict) -> float:
    """Measured over expected rate."""
    expected = pair.expected_bytes_per_s or 0.0
    return (pair.measured_bytes_per_s or 0.0) / expected if expected else 0.0


def _deciding(parts: Sequence[Part], verdict: RunVerdict) -> list[Part]:
    """The sizes or pairs with the run's verdict, those of its reason before others; any where none has it."""
    same = [part for part in parts if part.status is verdict.status] or list(parts)
    return [part for part in same if part.reason.code == verdict.reason.code] or same


def _wrong(sizes: Sequence[SizeVerdict]) -> str | None:
    wrong = [size for size in sizes if size.status is Status.WRONG]
    if not wrong:
        return None
    first = format_size(wrong[0].size_bytes)
    return f"wrong values in {len(wrong)} of {counted(len(sizes), 'sample')}, first at {first}"


def _of_size(size: SizeVerdict, verdict: RunVerdict, *, in_time: bool) -> str:
    """Bus bandwidth of one size and what was expected; time where latency decides."""
    factor = bus_factor(verdict.collective, verdict.ranks) if verdict.collective else None
    where, impossible = format_size(size.size_bytes), size.status is Status.IMPOSSIBLE and size.floor_s
    fastest_s, slowest_s = size.low_s or size.time_s, size.high_s or size.time_s
    if in_time or factor is None:
        measured = f"{format_time(size.time_s)} at {where}"
        if impossible:
            return f"{measured}, at least {format_time(impossible)}"
        return f"{measured}, expected {_range(format_time(fastest_s), format_time(slowest_s))}"
    moved = factor * size.size_bytes
    measured = f"{format_rate(moved / size.time_s)} busbw at {where}"
    if impossible:
        return f"{measured}, at most {format_rate(moved / impossible)}"
    return f"{measured}, expected {_range(format_rate(moved / slowest_s), format_rate(moved / fastest_s))}"


def _range(low: str, high: str) -> str:
    """Two numbers, their unit written once where it is one: ``360-490 GB/s``."""
    (number, _, low_unit), (_, _, unit) = low.partition(" "), high.partition(" ")
    if low == high:
        return high
    return f"{number}-{high}" if low_unit == unit else f"{low} to {high}"


def _of_pair(pair: PairVerdict, count: int, total: int) -> str:
    """The worst pair, its link's rate, and how many pairs are alike."""
    between = f"{pair.row} to {pair.column}" if pair.column else pair.row
    if pair.what.startswith("rdma_"):
        return (
            between
            if pair.measured_bytes_per_s is None
            else f"{format_rate(pair.measured_bytes_per_s)}, {between}"
        )
    share = f"{count} of {total} pairs" if total > 1 else "one copy"
    if pair.measured_bytes_per_s is None or pair.expected_bytes_per_s is None:
        return f"{between} ({share})"
    rates = f"{format_rate(pair.measured_bytes_per_s)} of {format_rate(pair.expected_bytes_per_s)}"
    return f"{rates}, {between} ({share})"
