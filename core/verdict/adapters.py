"""perftest between two NICs: rates against the port's, latencies against the link's, and why they are low."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.catalog import LINKS
from core.hardware import System
from core.measurement import Run, Sample
from core.units import GIGABIT_BYTES, KIB, US, format_size, whole_percent
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.pcie_path import TEST as PATH_TEST
from core.verdict.hypotheses.port_rate import TEST as PORT_TEST
from core.verdict.log_network import by_port
from core.verdict.pair_causes import Kind, weighed
from core.verdict.pairs import IMPOSSIBLE_SHARE
from core.verdict.records import Cause, NextTest, PairVerdict, Reason, Status

GOOD_SHARE = 0.8
"""Of a port's rate: sound adapters reach 0.92 and more with one queue pair."""
MPI_SHARE = 0.65
"""Likewise of large messages of MPI: UCX reaches 0.99 from GPU memory (openucx/ucx issue 9287)."""
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
_HALVES = (0.5, 0.25)
_QP_TEST = NextTest(
    "ib_write_bw -q 4 -s 1048576 --report_gbits ...; show_gids; ip link (MTU)",
    "the rate rises with more queue pairs, larger messages or an MTU of 4096",
    "-q 4 and an MTU of 4096",
)
_TCP_TEST = NextTest(
    "iperf3 -P 8 (several processes: one core serves one stream); ip link (MTU 9000); net.ipv4.tcp_rmem",
    "the rate rises with streams, MTU or buffers; RDMA needs none of them",
    "iperf3 with 8 processes, MTU 9000",
)
_BIND_TEST = NextTest(
    "numactl --cpunodebind=N --membind=N ib_write_bw ...; cat /sys/class/infiniband/mlx5_0/device/numa_node",
    "the rate rises where process and memory are on the socket of the NIC",
    "numactl on the NIC's socket",
)
_SWITCH_TEST = NextTest(
    "ib_write_bw between NICs of one leaf, then of two; perfquery -x; ethtool -S (pause, CNP)",
    "full rate inside a leaf and less across: uplinks or routing; counters that rise: congestion",
    "two NICs of one leaf, then of two",
)
_SEVERAL_PORTS = Reason("ports_unknown", "more than one such port carries: say how many took part")
_OTHER = Reason("below_the_wire", "a busy host, power states or errors on the cable", "no known cause")


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
        best = max(rates, key=lambda item: item.size_bytes / item.time_s)
        verdict = _rate(best, link.rate.bytes_per_s, MPI_SHARE if through_mpi else GOOD_SHARE)
        told = any(notice.code in ("from_prose", "transfer_table") for notice in run.warnings)
        if verdict.status is Status.IMPOSSIBLE and told:
            verdict = replace(verdict, status=Status.UNKNOWN, reason=_SEVERAL_PORTS)
        verdicts.append(verdict)
    slowest_s = link.latency_high_s or link.latency_low_s
    if latencies and slowest_s and link.rate is not None:
        smallest = min(latencies, key=lambda item: item.size_bytes)
        wire_s = smallest.size_bytes / (GOOD_SHARE * link.rate.bytes_per_s)
        verdicts.append(_latency(smallest, SLOW_LATENCIES * slowest_s + wire_s))
    return verdicts


def _streams(sample: Sample) -> int:
    """How many times the rate of a port in one direction a test may reach: both directions, two ports."""
    words = (sample.detail or "").split(", ")
    ports = next((int(match[1]) for word in words if (match := _PORTS.fullmatch(word))), 1)
    return ports << sum(word in words for word in _DOUBLINGS)


def _rate(sample: Sample, port_bytes_per_s: float, good_share: float) -> PairVerdict:
    expected = _streams(sample) * port_bytes_per_s
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


def adapter_causes(pairs: Sequence[PairVerdict], run: Run, evidence: Evidence) -> tuple[Cause, ...]:
    """The likely causes of a slow perftest, most likely first; empty where its rate is not low."""
    low = [pair for pair in pairs if pair.status is Status.LOW and pair.expected_bytes_per_s]
    if not low:
        return ()
    expected, rate = low[0].expected_bytes_per_s or 1.0, low[0].measured_bytes_per_s or 0.0
    return weighed(_kinds(run, evidence, expected), rate)


def _kinds(run: Run, evidence: Evidence, expected: float) -> list[Kind]:
    on_gpu = any("GPU memory" in (item.detail or "") for item in run.samples)
    one_queue = any("1 QP" in (item.detail or "").split(", ") for item in run.samples)
    path = evidence.quote("pcie_link") or evidence.quote("acs", "on") or evidence.far_adapters
    between = "GPU and NIC" if on_gpu else "host and NIC"
    cause = "ACS or IOMMU, no common switch, or a slot below its width or generation"
    half = Reason(
        "pcie_path",
        f"the PCIe path between {between} carries about half: {cause}",
        f"PCIe path between {between} (ACS, IOMMU or slot)",
    )
    across = Reason("numa", "process or memory on the other socket than the NIC", "NUMA affinity")
    queue = Reason(
        "few_queues", "one queue pair, small messages or a small MTU", "one queue pair or small MTU"
    )
    network = Reason("oversubscribed", "the network is congested, misrouted or drops packets", "the network")
    if any("TCP" in (item.detail or "").split(", ") for item in run.samples):
        return _of_tcp(expected, network)
    kinds = [
        Kind(half, 0.47 * expected, 0.25, 0.5 if on_gpu else 0.3, PATH_TEST, path),
        Kind(across, 0.7 * expected, 0.15, 0.15, _BIND_TEST),
        Kind(network, 0.3 * expected, 0.8, 0.15, _SWITCH_TEST),
        Kind(_OTHER, 0.5 * expected, 0.8, 0.1, _BIND_TEST),
    ]
    kinds += [Kind(queue, 0.6 * expected, 0.3, 0.12, _QP_TEST)] if one_queue else []
    streams = max((_streams(item) for item in run.samples), default=1)
    return kinds + _ports(evidence, expected, streams)


def _of_tcp(expected: float, network: Reason) -> list[Kind]:
    """What holds TCP below the port: a core for each stream, first of all."""
    streams = Reason(
        "few_queues",
        "few TCP streams, an MTU of 1500 or small socket buffers",
        "few TCP streams, MTU or buffers",
    )
    return [
        Kind(streams, 0.4 * expected, 0.6, 0.6, _TCP_TEST),
        Kind(network, 0.3 * expected, 0.8, 0.2, _SWITCH_TEST),
        Kind(_OTHER, 0.5 * expected, 0.8, 0.2, _BIND_TEST),
    ]


def _ports(evidence: Evidence, expected: float, streams: int) -> list[Kind]:
    """A port at half or a quarter of its rate; at the rate that ibstat names where it names a lower one."""
    text = "the port runs below its rate: cable, transceiver or switch port"
    reason = Reason("slow_port", text, "port below its rate")
    said = [item.value.split()[-1] for item in evidence.observations if item.kind == "nic_rate"]
    rates = [streams * float(word) * GIGABIT_BYTES for word in said if word.replace(".", "", 1).isdigit()]
    slower = [rate for rate in rates if 0 < rate < 0.9 * expected]
    lines = evidence.quote("nic_rate") if slower else ()
    levels = [rate / expected for rate in slower[:1]] or list(_HALVES)
    return [Kind(reason, 0.97 * level * expected, 0.05, 0.05, PORT_TEST, lines) for level in levels]
