"""DeepEP's dispatch and combine against what its authors reach over such links."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from core.catalog import LINKS
from core.hardware import System
from core.measurement import Matrix, Run
from core.systems import outer_hop
from core.units import GB, whole_percent
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.devices import TEST as DEVICE_TEST
from core.verdict.pair_causes import Kind, weighed
from core.verdict.records import ASSUMED_NICS, Cause, NextTest, PairVerdict, Reason, Status

FORMAT = "deepep"
REFERENCE_NIC = 50 * GB
"""Bytes/s of the ConnectX-7 of each GPU behind the published rates."""
BY_NODES = ((2, 43 * GB), (4, 57 * GB), (8, 50 * GB))
"""
Logical bytes/s a GPU that the slower of dispatch and combine reaches over RDMA from so many nodes on, on H800
(deepseek-ai/DeepEP, docs/legacy.md: EP16, EP32 and EP64).
"""
LOW_LATENCY = 39 * GB
"""Likewise of the low-latency kernels at EP256, the least that is published; fewer ranks reach more."""
SCALE_UP_SHARE = 0.55
"""Of a GPU's links within a node: 0.77 on H800 (same source), 0.76 on H20 (DeepEP issue 16)."""
GOOD_SHARE = 0.7
"""Of what is published: 38 of 57 GB/s on four nodes is called bad (DeepEP issue 82)."""
_MOST = 1.03
_NODES_LEAST = 2
_PE_TEST = NextTest(
    "NVSHMEM_DEBUG=INFO and grep for the NIC of each PE; unset NVSHMEM_ENABLE_NIC_PE_MAPPING",
    "ranks that share a NIC: NVSHMEM chose the same for several",
    "NVSHMEM_DEBUG=INFO, which NIC each rank takes",
)
_ROUTE_TEST = NextTest(
    "test_internode.py on two nodes of one leaf; ib_write_bw between all NICs at once; perfquery -x",
    "as published on two nodes and less on more: uplinks or routing",
    "two nodes of one leaf",
)
_SMS_TEST = NextTest(
    "Buffer.set_num_sms(...) with more SMs; nvidia-smi topo -m; nvidia-smi nvlink -s",
    "the rate rises with the SMs: the kernel, not the links",
    "more SMs (Buffer.set_num_sms)",
)


def judge_experts(run: Run, system: System) -> list[PairVerdict]:
    """The verdicts on DeepEP's rates; empty for another tool, or where the system has no such link."""
    if run.format != FORMAT:
        return []
    return [verdict for matrix in run.matrices for verdict in _of(matrix, system)]


def _of(matrix: Matrix, system: System) -> Iterator[PairVerdict]:
    rates = dict(zip(matrix.columns, matrix.values[0], strict=True))
    rdma, inside = rates.get("RDMA"), rates.get("NVL")
    if isinstance(rdma, float) and system.domains == 1 and system.gpu.scale_up is not None:
        yield _verdict(matrix, "NVLink or RDMA", rdma, LOW_LATENCY, system.gpu.scale_up.bytes_per_s)
    elif isinstance(rdma, float):
        nic = nic_rate(system)
        if nic is not None:
            yield _verdict(
                matrix, "RDMA", rdma, _published(matrix, system.domains, nic), _logical(system, nic)
            )
    elif isinstance(inside, float):
        link = system.gpu.scale_up.bytes_per_s if system.gpu.scale_up is not None else None
        if link is not None:
            yield _verdict(matrix, "NVLink", inside, SCALE_UP_SHARE / GOOD_SHARE * link, link)


def nic_rate(system: System) -> float | None:
    """
    Bytes/s over the network that each GPU of a whole domain has; None without one.

    Where nothing counts the NICs each GPU has its own: DeepEP sends over the NIC of its GPU.
    """
    if system.network is None or not system.nics_per_domain:
        return None
    link = LINKS.get(system.network)
    if system.unverified == ASSUMED_NICS and link is not None and link.rate is not None:
        return link.rate.bytes_per_s
    leaf = outer_hop(system, system.domain_gpus)
    return None if leaf is None else leaf.bytes_per_s


def _published(matrix: Matrix, nodes: int, nic_bytes_per_s: float) -> float:
    scale = min(1.0, nic_bytes_per_s / REFERENCE_NIC)
    if "low-latency" in matrix.name:
        return scale * LOW_LATENCY
    place = bisect_right([least for least, _ in BY_NODES], max(nodes, _NODES_LEAST))
    return scale * BY_NODES[place - 1][1]


def _logical(system: System, nic_bytes_per_s: float) -> float:
    """What a NIC carries, and a rank's own part on top that never leaves its node."""
    nodes = max(system.domains, _NODES_LEAST)
    return nic_bytes_per_s * nodes / (nodes - 1)


def _verdict(matrix: Matrix, link: str, rate: float, expected: float, most: float) -> PairVerdict:
    row = f"{matrix.name}, {matrix.rows[0]} over {link}"
    status, reason = Status.FINE, Reason("as_expected", "as published of such links")
    if rate > _MOST * most:
        text = f"more than the {most / GB:.3g} GB/s that these links carry: another system"
        status, reason = Status.IMPOSSIBLE, Reason("faster_than_the_wire", text)
    elif rate < GOOD_SHARE * expected:
        text = f"{whole_percent(rate / expected)} of the {expected / GB:.3g} GB/s that such links reach"
        status, reason = Status.LOW, Reason("below_the_wire", text)
    return PairVerdict(matrix.name, row, "", rate, expected, status, reason)


def expert_causes(pairs: Sequence[PairVerdict], system: System, evidence: Evidence) -> tuple[Cause, ...]:
    """The likely causes of slow rates, most likely first; empty where none is slow."""
    low = [pair for pair in pairs if pair.status is Status.LOW and pair.expected_bytes_per_s]
    if not low:
        return ()
    worst = min(low, key=lambda pair: (pair.measured_bytes_per_s or 0.0) / (pair.expected_bytes_per_s or 1.0))
    expected, rate = worst.expected_bytes_per_s or 1.0, worst.measured_bytes_per_s or 0.0
    other = Reason(
        "below_the_wire", "slow clocks, a busy machine or another kernel setting", "no known cause"
    )
    kernel = Reason(
        "few_channels", "too few SMs or chunks for these links: the kernel, not the fabric", "too few SMs"
    )
    kinds = [Kind(other, 0.4 * expected, 0.9, 0.15, DEVICE_TEST)]
    if "RDMA" not in worst.row:
        return weighed([*kinds, Kind(kernel, 0.4 * expected, 0.5, 0.4, _SMS_TEST)], rate)
    return weighed([*kinds, *_of_network(system, evidence, expected)], rate)


def _of_network(system: System, evidence: Evidence, expected: float) -> list[Kind]:
    nics, gpus = system.nics_per_domain, system.domain_gpus
    shared = f"ranks share NICs: NVSHMEM took the same one for several of the {gpus} GPUs"
    few = Reason("fewer_nics", f"{shared}, or it sees fewer than {gpus}", "ranks share NICs")
    routing = Reason(
        "oversubscribed", "the network is oversubscribed, misrouted (ECMP) or drops packets", "the network"
    )
    staged = Reason(
        "no_gpudirect",
        "no GPUDirect RDMA or IBGDA: a proxy on the CPU sends each message",
        "no GPUDirect RDMA (IBGDA)",
    )
    prior = 0.45 if nics < gpus else 0.25
    kinds = [Kind(few, expected / share, 0.2, prior / 3, _PE_TEST) for share in (2, 4, max(nics, 1))]
    kinds.append(Kind(routing, 0.35 * expected, 0.7, 0.3, _ROUTE_TEST))
    lines = evidence.stated("no GPUDirect RDMA")
    kinds.append(Kind(staged, 0.02 * expected, 0.8, 0.15, _PE_TEST, lines))
    return kinds
