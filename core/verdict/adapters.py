"""Tests between two NICs: rates against the port's, latencies against the link's."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.catalog import LINKS
from core.hardware import System
from core.measurement import Run, Sample
from core.units import GIGABIT_BYTES, KIB, US, format_size, whole_percent
from core.verdict.collapse import COLLAPSED_SHARE
from core.verdict.log_network import by_port
from core.verdict.pair_rate import IMPOSSIBLE_SHARE
from core.verdict.records import PairVerdict, Reason, Status

GOOD_SHARE = 0.8
"""Of a port's rate: sound adapters reach 0.92 and more with one queue pair."""
PROGRAM_SHARE = 0.7
"""Likewise of programs over RDMA: UCX 0.75 and NIXL 0.85 of 400 Gb/s (ai-dynamo/nixl pull request 1647)."""
MPI_SHARE = 0.65
"""Likewise of large messages of MPI: UCX reaches 0.99 from GPU memory (openucx/ucx issue 9287)."""
PROGRAMS = ("UCX", "NIXL", "Mooncake", "UCCL", "NVSHMEM")
"""Words of a sample for programs over RDMA, which reach less than perftest does."""
OF_ADAPTERS = ("perftest", "osu")
"""Formats of tests between two NICs, in which the GPU plays no part."""
LARGE_BYTES = int(32 * KIB)
"""From this message size on the rate is the port's."""
SLOW_LATENCIES = 3.0
"""Times of the link's slowest small message up to which a latency is that of switches and hosts."""
_DOUBLINGS = ("bidirectional", "two ports")
"""Words of a sample, each for twice the rate of one port in one direction."""
_PORTS = re.compile(r"(\d{1,2}) ports")
_LATENCY = "_latency"
BEST_TOLD = "best_told"
"""Observation of a test whose port nothing names: bytes/s of the fastest of its kind in the paste."""
_PORT_UNTOLD = Reason("port_untold", "the fastest of these tests; nothing names the port: add ibstat")
_SEVERAL_PORTS = Reason("ports_unknown", "more than one such port carries: say how many took part")


def judge_adapters(run: Run, system: System) -> list[PairVerdict]:
    """The verdict on perftest's best large message, or its smallest latency; empty without a port's rate."""
    link = LINKS.get(system.network or "")
    through_mpi = run.format == "osu"
    point_to_point = not through_mpi or run.collective_or_guess == "send_recv"
    if run.format not in OF_ADAPTERS or link is None or not by_port(link.id) or not point_to_point:
        return []
    latencies = [item for item in run.samples if (item.operation or "").endswith(_LATENCY)]
    rates = [item for item in run.samples if item not in latencies and item.size_bytes >= LARGE_BYTES]
    verdicts = []
    if rates and link.rate is not None:
        best = _kept(rates)
        told_rate = _best_told(run) or stated_port(run) or link.rate.bytes_per_s
        port = min(link.rate.bytes_per_s, told_rate)
        by_program = any(word in PROGRAMS for word in _words(best))
        share = MPI_SHARE if through_mpi else PROGRAM_SHARE if by_program else GOOD_SHARE
        verdict = _rate(best, port, share)
        told = any(notice.code in ("from_prose", "transfer_table") for notice in run.warnings)
        if verdict.status is Status.IMPOSSIBLE and told:
            verdict = replace(verdict, status=Status.UNKNOWN, reason=_SEVERAL_PORTS)
        if _best_told(run) and verdict.status is not Status.LOW:
            verdict = replace(verdict, status=Status.UNKNOWN, reason=_PORT_UNTOLD)
        verdicts.append(verdict)
    slowest_s = link.latency_high_s or link.latency_low_s
    if latencies and slowest_s and link.rate is not None:
        smallest = min(latencies, key=lambda item: item.size_bytes)
        wire_s = smallest.size_bytes / (GOOD_SHARE * link.rate.bytes_per_s)
        verdicts.append(_latency(smallest, SLOW_LATENCIES * slowest_s + wire_s))
    return verdicts


def _kept(rates: Sequence[Sample]) -> Sample:
    """The fastest message, or the largest where it has lost two fifths of that rate."""
    best = max(rates, key=lambda item: item.size_bytes / item.time_s)
    largest = max(rates, key=lambda item: (item.size_bytes, item.size_bytes / item.time_s))
    share = largest.size_bytes / largest.time_s * best.time_s / best.size_bytes
    return largest if share < COLLAPSED_SHARE else best


def _words(sample: Sample) -> list[str]:
    return (sample.detail or "").split(", ")


def _best_told(run: Run) -> float | None:
    """The fastest of the same tests of the paste, bytes/s, where none names its port; None without."""
    told = next((item.value for item in run.observations if item.kind == BEST_TOLD), "")
    return float(told) if told else None


def stated_port(run: Run) -> float | None:
    """Bytes/s of the port of Ethernet below 100 Gb/s that words state; None without."""
    told = next((item.value for item in run.observations if item.kind == "port_gbit"), "")
    return float(told) * GIGABIT_BYTES if told else None


def streams_of(sample: Sample) -> int:
    """How many times the rate of a port in one direction a test may reach: both directions, two ports."""
    words = _words(sample)
    ports = next((int(match[1]) for word in words if (match := _PORTS.fullmatch(word))), 1)
    return ports << sum(word in words for word in _DOUBLINGS)


def _rate(sample: Sample, port_bytes_per_s: float, good_share: float) -> PairVerdict:
    expected = streams_of(sample) * port_bytes_per_s
    rate = sample.size_bytes / sample.time_s
    name, _, how = (sample.detail or "the NIC").partition(", ")
    of_port = f"of {expected / GIGABIT_BYTES:.4g} Gb/s"
    row = f"{name} {rate / GIGABIT_BYTES:.4g} {of_port}{f' ({how})' if how else ''}"
    status, reason = Status.FINE, Reason("as_expected", "the rate of this port")
    if rate > expected * IMPOSSIBLE_SHARE:
        text = "faster than the port: another network, or both directions counted"
        status, reason = Status.IMPOSSIBLE, Reason("faster_than_the_wire", text)
    elif rate < expected * good_share:
        text = f"{whole_percent(rate / expected)} of the {expected / GIGABIT_BYTES:.4g} Gb/s of the port"
        status, reason = Status.LOW, Reason("below_the_wire", text)
    return PairVerdict(str(sample.operation), row, "", rate, expected, status, reason)


def _latency(sample: Sample, usual_s: float) -> PairVerdict:
    name = (sample.detail or "the NIC").partition(",")[0]
    times = f"{sample.time_s / US:.3g} us at {format_size(sample.size_bytes)}"
    row = f"{name} {times}, up to {usual_s / US:.3g} us usual"
    status, reason = Status.FINE, Reason("as_expected", "the latency of this link")
    if sample.time_s > usual_s:
        text = "slow for this link: power states of the CPU, a far socket, many switches, or no RDMA"
        status, reason = Status.LOW, Reason("latency_bound", text)
    return PairVerdict(str(sample.operation), row, "", None, None, status, reason)
