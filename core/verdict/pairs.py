"""Copies between pairs of GPUs against the links that should carry them."""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.hardware import Family, System, Topology
from core.measurement import Matrix
from core.systems import hop_for, route, scale_up_path
from core.units import GB
from core.verdict.bridges import bridged_pairs, pair_rates, peer_rates, slot_rate
from core.verdict.host_copies import judge_host_copies
from core.verdict.link_states import judge_links, judge_paths
from core.verdict.links import host_link_rate, scale_up_family
from core.verdict.pair_rate import GOOD_COPY_SHARE, pair_verdict
from core.verdict.records import PairVerdict, Reason, Status

ACROSS_SOCKETS_SHARE = 0.6
"""Likewise between GPUs joined by PCIe: by way of two CPUs copies reach 0.66 to 0.7, half a slot 0.42."""
MESH_SHARE = 0.65
"""Likewise over Infinity Fabric: MI300X reach 48 of 64 GB/s (ROCm/rccl issue 1210), bidirectional 46."""
STAGED_SHARE = 0.5
"""Below this share of the host link's rate a copy is staged through host memory."""
LEAST_STAGED_SHARE = 0.2
"""
What copies through host memory reach of the slot at least: 0.3 in both directions on A40 (nccl-tests issue
74), 0.58 on H100 (nccl issue 1264), 0.6 on RTX 4090, 0.09 of a card in a slot of fewer lanes
(tinygrad/open-gpu-kernel-modules issue 16).
"""
ODD_SHARE = 0.8
"""A GPU or pair below this share of the median of all pairs is the odd one."""
_GOOD_SHARES: dict[Family | None, float] = {
    Family.PCIE: ACROSS_SOCKETS_SHARE,
    Family.INFINITY_FABRIC: MESH_SHARE,
}


def judge_matrix(matrix: Matrix, system: System) -> list[PairVerdict]:
    """Verdicts on the cells of one matrix; empty for what has no expectation."""
    if matrix.kind == "links":
        return list(judge_links(matrix, system))
    if matrix.kind == "topology":
        return list(judge_paths(matrix, system))
    if matrix.kind == "bandwidth" and matrix.direction is not None and not _is_one_stream_of_two(matrix):
        return list(_bandwidth(matrix, system))
    return []


def _is_one_stream_of_two(matrix: Matrix) -> bool:
    """Whether nvbandwidth timed one stream of two: then no link's rate is the measure."""
    bidirectional = "bidirectional_memcpy" in matrix.name and matrix.directions == 2  # noqa: PLR2004 (both directions)
    return bidirectional and not matrix.name.endswith("total")


def _bandwidth(matrix: Matrix, system: System) -> Iterator[PairVerdict]:
    if matrix.name.startswith(("host_to_device_memcpy", "device_to_host_memcpy")):
        yield from judge_host_copies(matrix, system)
    elif len(matrix.rows) > 1 and len(matrix.columns) > 1 and "P2P=Disabled" not in matrix.name:
        yield from _peer_copies(matrix, system)


def judge_staged(matrix: Matrix, system: System) -> list[PairVerdict]:
    """Verdicts on copies through host memory (``P2P=Disabled``), for a run that holds no others."""
    slot = host_link_rate(system)
    if matrix.kind != "bandwidth" or "P2P=Disabled" not in matrix.name or slot is None:
        return []
    return [
        pair_verdict(
            matrix.name,
            f"GPU{matrix.rows[i]}",
            f"GPU{matrix.columns[j]}",
            rate,
            matrix.directions * slot,
            LEAST_STAGED_SHARE,
        )
        for (i, j), rate in pair_rates(matrix).items()
    ]


@dataclass(frozen=True, slots=True)
class _PeerCopies:
    """
    The copies of one matrix between different GPUs, and what is typical of them.

    Attributes:
        median_bytes_per_s: Of all pairs.
        slow_gpu: Name of the GPU all of whose pairs are slow; empty unless there is exactly one.
        directions: 2 where both directions are counted, else 1.
    """

    matrix: Matrix
    system: System
    median_bytes_per_s: float
    slow_gpu: str
    directions: int

    def reason(self, rate: float, source: str, target: str) -> Reason | None:
        """Why a pair is slow; None where no cause is known."""
        if self.matrix.peer_access is False:
            return Reason("staged_copies", "no peer access: the copy is staged through host memory")
        if self.slow_gpu and self.slow_gpu in (source, target):
            text = f"all pairs of GPU{self.slow_gpu} are slow: look at this GPU, its slot and its links"
            return Reason("slow_gpu", text)
        if rate < ODD_SHARE * self.median_bytes_per_s:
            median = f"{self.median_bytes_per_s / GB:.4g} GB/s"
            return Reason("slow_link", f"this pair is slow, the median is {median}: one bad link or path")
        return self._at_host_rate(rate)

    def _at_host_rate(self, rate: float) -> Reason | None:
        """Whether the pair runs at the host link's rate or below it, though NVLink joins the GPUs."""
        host = host_link_rate(self.system)
        if host is None or scale_up_family(self.system) in (None, Family.PCIE):
            return None
        host *= self.directions
        if rate > host:
            return None
        if rate < STAGED_SHARE * host:
            return Reason("staged_copies", "less than half of a PCIe slot: staged through host memory")
        return Reason("pcie_instead_of_nvlink", f"what PCIe gives, not {self.system.scale_up.link}")


def _peer_copies(matrix: Matrix, system: System) -> Iterator[PairVerdict]:
    directions = matrix.directions
    rates = peer_rates(matrix)
    pairs = bridged_pairs(matrix, slot_rate(system.gpu.id) or float("inf"))
    median = statistics.median(rates.values()) if rates else 0.0
    good_share = _good_share(matrix, system)
    copies = _PeerCopies(matrix, system, median, _slow_gpu(matrix, median), directions)
    for (i, j), rate in rates.items():
        source, target = matrix.rows[i], matrix.columns[j]
        through_host = host_link_rate(system) if _unlinked(system, i, j) else None
        expected = directions * (
            through_host or _card_rate(system, (i, j), pairs) or _pair_rate(system, i, j)
        )
        share = GOOD_COPY_SHARE if (i, j) in pairs else LEAST_STAGED_SHARE if through_host else good_share
        verdict = pair_verdict(matrix.name, f"GPU{source}", f"GPU{target}", rate, expected, share)
        if verdict.status is Status.LOW:
            verdict = replace(verdict, reason=copies.reason(rate, source, target) or verdict.reason)
        yield verdict


def _good_share(matrix: Matrix, system: System) -> float:
    """Of a link's rate; less where the vendor's driver lets no such card copy to another, and none did."""
    family = scale_up_family(system)
    if matrix.peer_access is False and family is Family.PCIE and not system.gpu.peer_to_peer:
        return LEAST_STAGED_SHARE
    return _GOOD_SHARES.get(family, GOOD_COPY_SHARE)


def _in_cube_mesh(system: System, source: int, target: int) -> bool:
    """Whether the catalog holds which links join two GPUs."""
    cube = system.scale_up.topology is Topology.CUBE_MESH
    return cube and bool(system.wiring) and max(source, target) < len(system.wiring)


def _unlinked(system: System, source: int, target: int) -> bool:
    """Whether no link of the mesh joins two GPUs: copies go through the host's memory, by design."""
    return _in_cube_mesh(system, source, target) and not system.wiring[source][target]


def _pair_rate(system: System, source: int, target: int) -> float:
    """Unidirectional bytes/s between two GPUs of a domain; on a mesh by the links that join them."""
    scale_up, wiring = system.scale_up, system.wiring
    if _in_cube_mesh(system, source, target):
        links = route(system, source, target).links
        link_rate = scale_up.bytes_per_s / sum(wiring[0])
        whole_domain = hop_for(system, system.domain_gpus).bytes_per_s
        return links * link_rate if links else whole_domain / system.domain_gpus
    pair = min(2, system.domain_gpus)
    bridged = system.bridge is None or source // 2 == target // 2
    return scale_up_path(system, pair, stride=1 if bridged else 2).bytes_per_s


def _card_rate(system: System, pair: tuple[int, int], shown: frozenset[tuple[int, int]]) -> float | None:
    """Unidirectional bytes/s between two cards where a matrix shows their bridges; else None."""
    gpu = system.gpu
    if not shown or gpu.scale_up_topology is not Topology.BRIDGE or gpu.scale_up is None:
        return None
    if pair in shown:
        return gpu.scale_up.bytes_per_s
    joined = {place for place, _ in shown}
    return slot_rate(gpu.id) if joined & set(pair) else None


def _slow_gpu(matrix: Matrix, median: float) -> str:
    """The one GPU all of whose pairs are slow, if there is exactly one."""
    slow = []
    for k, name in enumerate(matrix.columns):
        cells = [cell for j, cell in enumerate(matrix.values[k]) if j != k] if k < len(matrix.values) else []
        cells += [row[k] for i, row in enumerate(matrix.values) if i != k]
        rates = [cell for cell in cells if isinstance(cell, float)]
        if len(rates) > 2 and max(rates) < ODD_SHARE * median:  # noqa: PLR2004 (more than one partner)
            slow.append(name)
    return slow[0] if len(slow) == 1 else ""
