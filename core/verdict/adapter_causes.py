"""Why a test between two NICs is slow: weighed by its rate and the lines beside it."""

from collections.abc import Sequence

from core.measurement import Run
from core.units import GIGABIT_BYTES
from core.verdict.adapters import PROGRAMS, streams_of
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.pcie_path import TEST as PATH_TEST
from core.verdict.hypotheses.port_rate import TEST as PORT_TEST
from core.verdict.pair_causes import Kind, weighed
from core.verdict.records import Cause, NextTest, PairVerdict, Reason, Status

PORT_REACHED = "port_reached"
"""Observation of a slow test beside one that reached the port: neither network nor port holds it."""
_PORT_LEVELS = (0.5, 0.25)
"""Rates at which a port comes up below its own: half of its lanes, or an older generation."""
_OF_PORT = ("port_stated", "nic_rate", "board", "instance")
"""Observations that tell the port: without one no share of its rate says anything."""
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
_UDP_TEST = NextTest(
    "iperf3 -u -b 0 -l 8900 -P 8 ...; then without -u",
    "the rate rises with -b: UDP sends what is asked of it, 1 Mb/s where nothing is",
    "-b 0, or TCP",
)
_BIND_TEST = NextTest(
    "numactl --cpunodebind=N --membind=N ib_write_bw ...; cat /sys/class/infiniband/mlx5_0/device/numa_node",
    "the rate rises where process and memory are on the socket of the NIC",
    "numactl on the NIC's socket",
)
_STAGED_TEST = NextTest(
    "lsmod | grep -E 'nvidia_peermem|gdrdrv'; ib_write_bw --use_cuda=0 ... beside the same without it; "
    "ucx_info -v",
    "no module, or the port's rate from host memory and far less from the GPU's: staged; unset UCX_TLS, "
    "try the version before",
    "ib_write_bw --use_cuda=0 beside host memory",
)
_SWITCH_TEST = NextTest(
    "ib_write_bw between NICs of one leaf, then of two; perfquery -x; ethtool -S (pause, CNP)",
    "full rate inside a leaf and less across: uplinks or routing; counters that rise: congestion",
    "two NICs of one leaf, then of two",
)
_FEW_LANES = Reason(
    "pcie_path",
    "the adapter's slot has few lanes or an old generation, or the adapter came up degraded: power it off",
    "PCIe path of the adapter (lanes, power state)",
)
_STAGED = Reason(
    "staged_gpu_memory",
    "no GPUDirect RDMA: GPU memory is staged through host memory, by a missing module, a transport that "
    "was chosen (UCX_TLS, gdr_copy) or a version that chose it",
    "no GPUDirect RDMA: staged through host memory",
)
_STAGED_SHARE = 0.25
"""Of a port: what staged copies leave, and reads of a GPU by a NIC across a CPU."""
_ACROSS = Reason("numa", "process or memory on the other socket than the NIC", "NUMA affinity")
_QUEUE = Reason("few_queues", "one queue pair, small messages or a small MTU", "one queue pair or small MTU")
_ASKED = Reason("few_queues", "UDP sends at the rate that -b asks for, 1 Mb/s by itself", "the rate of -b")
_NETWORK = Reason("oversubscribed", "the network is congested, misrouted or drops packets", "the network")
_NODE = Reason("slow_node", "one of the two nodes, its adapter or its cable", "one of the two nodes")
_OTHER = Reason("below_the_wire", "a busy host, power states or errors on the cable", "no known cause")


def adapter_causes(pairs: Sequence[PairVerdict], run: Run, evidence: Evidence) -> tuple[Cause, ...]:
    """The likely causes of a slow perftest, most likely first; empty where its rate is not low."""
    low = [pair for pair in pairs if pair.status is Status.LOW and pair.expected_bytes_per_s]
    if not low:
        return ()
    expected, rate = low[0].expected_bytes_per_s or 1.0, low[0].measured_bytes_per_s or 0.0
    return weighed(_kinds(run, evidence, expected), rate)


def _kinds(run: Run, evidence: Evidence, expected: float) -> list[Kind]:
    words = {word for item in run.samples for word in (item.detail or "").split(", ")}
    if "UDP" in words:
        return [Kind(_ASKED, 0.1 * expected, 2.0, 0.8, _UDP_TEST), *_of_tcp(expected)[1:]]
    if "TCP" in words:
        return _of_tcp(expected)
    on_gpu = "GPU memory" in words or run.format == "osu"
    path = evidence.quote("pcie_link") or evidence.quote("acs", "on") or evidence.far_adapters
    kinds = [
        Kind(_half(on_gpu=on_gpu), 0.47 * expected, 0.25, 0.5 if on_gpu else 0.3, PATH_TEST, path),
        Kind(_ACROSS, 0.7 * expected, 0.15, 0.15, _BIND_TEST),
        Kind(_OTHER, 0.5 * expected, 0.8, 0.1, _BIND_TEST),
    ]
    if on_gpu:
        kinds.append(Kind(_half(on_gpu=True), _STAGED_SHARE * expected, 0.4, 0.25, PATH_TEST, path))
        kinds.append(Kind(_STAGED, _STAGED_SHARE * expected, 0.7, 0.4, _STAGED_TEST))
    reached = bool(evidence.values(PORT_REACHED))
    kinds += _queues(words, expected, reached=reached)
    if reached:
        return kinds
    streams = max((streams_of(item) for item in run.samples), default=1)
    if any(item.kind in _OF_PORT for item in evidence.observations):
        kinds.append(Kind(_FEW_LANES, 0.08 * expected, 0.5, 0.04, PATH_TEST, path))
    kinds += [Kind(_NETWORK, 0.3 * expected, 0.8, 0.15, _SWITCH_TEST)]
    if any(word.startswith("nodes ") for word in words):
        kinds.append(Kind(_NODE, 0.6 * expected, 0.4, 0.5, _SWITCH_TEST))
        kinds.append(Kind(_NETWORK, 0.6 * expected, 0.4, 0.5, _SWITCH_TEST))
    return kinds + _ports(evidence, expected, streams)


def _half(*, on_gpu: bool) -> Reason:
    """The path from a NIC to the memory that it serves, at half of its rate."""
    between = "GPU and NIC" if on_gpu else "host and NIC"
    cause = "ACS or IOMMU, no common switch, or a slot below its width or generation"
    return Reason(
        "pcie_path",
        f"the PCIe path between {between} carries about half: {cause}",
        f"PCIe path between {between} (ACS, IOMMU or slot)",
    )


def _queues(words: set[str], expected: float, *, reached: bool) -> list[Kind]:
    """How a test ran: one queue pair or small messages, unless it tells that it had several."""
    told = any(word.endswith(" QP") for word in words)
    likely = reached or bool(words & set(PROGRAMS)) or any(word.startswith("MTU ") for word in words)
    if told and "1 QP" not in words and not likely:
        return []
    return [
        Kind(_QUEUE, 0.6 * expected, 0.3, 0.3 if likely else 0.12, _QP_TEST),
        Kind(_QUEUE, 0.03 * expected, 1.3, 0.2 if likely else 0.03, _QP_TEST),
    ]


def _of_tcp(expected: float) -> list[Kind]:
    """What holds TCP below the port: a core for each stream, first of all."""
    streams = Reason(
        "few_queues",
        "few TCP streams, an MTU of 1500 or small socket buffers",
        "few TCP streams, MTU or buffers",
    )
    return [
        Kind(streams, 0.35 * expected, 0.9, 0.6, _TCP_TEST),
        Kind(_NETWORK, 0.3 * expected, 0.8, 0.2, _SWITCH_TEST),
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
    levels = [rate / expected for rate in slower[:1]] or list(_PORT_LEVELS)
    return [Kind(reason, 0.97 * level * expected, 0.05, 0.05, PORT_TEST, lines) for level in levels]
