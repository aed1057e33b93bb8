"""Inside a node: no peer access between the GPUs, or PCIe where NVLink was expected."""

import re

from core.units import GB
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.case import AGAINST, CERTAIN, SOME, STRONG, Case, Hypothesis
from core.verdict.links_down import CODE, KIND
from core.verdict.records import NextTest, Reason

_STAGED_PAIR_SHARE = 0.2
"""Of a slot's rate, what two GPUs reach by way of shared host memory."""
_STAGED_SLOT_BYTES_PER_S = 32 * GB
"""Faster slots than PCIe Gen4 x16 need not speed up staged copies: memory and cores limit them too."""
_STAGED_LN_SPREAD, _PCIE_LN_SPREAD = 0.6, 0.35
_PCIE_SHARE = 0.7
"""Of a slot's rate, the bus bandwidth of rings over PCIe."""
_NVLINK_CODES = ("PIX", "PXB", "PHB", "NODE", "SYS")
_UP = re.compile(r"\b(\d{1,3}) of (\d{1,3}) links")
_COARSE = re.compile(r"HSA_FORCE_FINE_GRAIN_PCIE")
"""Of a warning of RCCL: without it GPUs on PCIe do not write to each other."""
PEER_TEST = NextTest(
    "nvidia-smi topo -p2p r; p2pBandwidthLatencyTest; NCCL_DEBUG=INFO <command> | grep ' via '",
    "CNS or `CANNOT Access Peer`, or `via SHM`: no peer access; a driver, a virtual machine, "
    "ACS or NCCL_P2P_DISABLE forbids it",
    "nvidia-smi topo -p2p r",
)
LINK_TEST = NextTest(
    "nvidia-smi topo -m; nvidia-smi nvlink -s; NCCL_DEBUG=INFO <command> | grep ' via '",
    "PIX to SYS between GPUs that ran: PCIe; NV#: NVLink; links that are inactive: fabric manager or bridge",
    "nvidia-smi topo -m",
)


def no_peer_access(case: Case) -> list[Hypothesis]:
    """Copies staged through host memory: a fraction of a slot, shared by all GPUs."""
    if case.several_nodes or case.pcie_bytes_per_s <= 0:
        return []
    gpus = max(2, case.scenario.ranks)
    slots = sorted({case.pcie_bytes_per_s, min(case.pcie_bytes_per_s, _STAGED_SLOT_BYTES_PER_S)})
    rates = [_STAGED_PAIR_SHARE * slot * (2 / gpus) ** 0.5 for slot in slots]
    ln_lines, lines = _peer_lines(case.evidence)
    text = (
        f"{case.busbw / GB:.3g} GB/s of bus bandwidth is less than half of the PCIe slot: without "
        f"peer access (P2P) "
        "copies between GPUs are staged through host memory (SHM)"
    )
    reason = Reason("staged_copies", text, "no peer access (P2P): staged through the host")
    curves = [
        case.at_busbw(rate) if not case.over_pcie else case.factor * case.size_bytes / rate for rate in rates
    ]
    return [
        Hypothesis(reason, 0.3 / len(curves), curve, _STAGED_LN_SPREAD, PEER_TEST, ln_lines, lines)
        for curve in curves
    ]


def _peer_lines(evidence: Evidence) -> tuple[float, tuple[str, ...]]:
    if said := evidence.quote("peer_access"):
        return CERTAIN, said
    if warned := evidence.warned(_COARSE):
        return STRONG, warned
    transports = evidence.values("transport")
    if "SHM" in transports and "P2P" not in transports:
        return CERTAIN, evidence.quote("transport", "SHM")
    if "SHM" in transports:
        return SOME, evidence.quote("transport", "SHM")
    return (AGAINST if "P2P" in transports else 0.0), ()


def pcie_between_gpus(case: Case) -> list[Hypothesis]:
    """The rate of PCIe on a system whose GPUs are joined by NVLink."""
    if case.several_nodes or case.over_pcie or case.pcie_bytes_per_s <= 0:
        return []
    link = case.ranks.system.scale_up.link
    apart = case.evidence.paths(*_NVLINK_CODES)
    paths = case.evidence.values("path")
    ln_lines = STRONG if apart else AGAINST if paths else 0.0
    where = (
        f": {apart[0].rpartition(' ')[0].replace(' ', ' and ')} are joined by {apart[0].split()[-1]}"
        if apart
        else ""
    )
    text = f"{case.busbw / GB:.3g} GB/s of bus bandwidth is what PCIe gives, not {link}{where}"
    reason = Reason("pcie_instead_of_nvlink", text, "PCIe instead of NVLink")
    expected_s = case.at_busbw(_PCIE_SHARE * case.pcie_bytes_per_s)
    lines = case.evidence.quote("path", apart[0]) if apart else ()
    return [Hypothesis(reason, 0.2, expected_s, _PCIE_LN_SPREAD, LINK_TEST, ln_lines, lines)]


def links_inactive(case: Case) -> list[Hypothesis]:
    """Links that the same log shows down: the GPU with fewest sets the pace, by its share of links."""
    said = case.evidence.quote(KIND)
    if case.several_nodes or not said:
        return []
    counted = _UP.search(said[0])
    share = int(counted.group(1)) / max(1, int(counted.group(2))) if counted else 0.0
    expected_s = case.expected_s / share if 0 < share < 1 else None
    reason = Reason(CODE, f"links are down: {case.evidence.values(KIND)[0]}", "links down")
    return [Hypothesis(reason, 0.1, expected_s, _PCIE_LN_SPREAD, LINK_TEST, CERTAIN, said)]
