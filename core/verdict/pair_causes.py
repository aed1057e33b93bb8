"""Why copies between pairs of GPUs, or to the host, are slow: weighed by rate and log."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.hardware import Family, System
from core.units import GB
from core.verdict.detour import CODE as DETOUR
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.devices import TEST as DEVICE_TEST
from core.verdict.hypotheses.pcie_path import TEST as PATH_TEST
from core.verdict.hypotheses.peer_access import LINK_TEST, PEER_TEST
from core.verdict.links import pcie_rate, scale_up_family
from core.verdict.posterior import ln_student, normal, ranked
from core.verdict.records import Cause, NextTest, PairVerdict, Reason, Status

_SPECIFIC = ("slow_gpu", "slow_link", "links_inactive", "another_gpu", DETOUR)
"""Reasons that the matrix itself shows: they need no weighing."""
_TESTS = {"links_inactive": LINK_TEST, DETOUR: PATH_TEST}
_CERTAIN = 6.0
_OTHER = Reason("below_the_wire", "slow clocks, links that are down, or a busy machine", "no known cause")
_QUARTER = 0.21
"""Of a slot's rate: four of its sixteen lanes, as boards for desktops give the second card."""
_EIGHTH = 0.1
"""Likewise four lanes one generation below, as cables to a card outside and slots of a chipset have."""
_FAR_SHARE = 0.2
"""
Of a slot where a process runs on the other socket of an old host: 3.8 GB/s in and 2.5 out of a P100,
12.2 and 12.9 on its own (github.com/mpicbg-scicomp/gearshifft/pull/82).
"""
_PAGEABLE = Reason(
    "pageable",
    "host memory that is not pinned: the driver copies it by way of a small pinned buffer",
    "pageable host memory",
)
_PIN_TEST = NextTest(
    "nvbandwidth -t host_to_device_memcpy_ce (it pins); pin_memory=True, cudaHostAlloc in the program",
    "the slot's rate from pinned memory: the program's own memory was the limit",
    "nvbandwidth, then pinned memory",
)
_BIND_TEST = NextTest(
    "numactl --cpunodebind=N --membind=N <command>; nvidia-smi topo -m",
    "the rate rises where process and memory are on the socket of the GPU (CPU and NUMA affinity)",
    "numactl on the GPU's socket",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A cause with the rate that it leaves, its spread in ln, how common it is, and lines of the log."""

    reason: Reason
    bytes_per_s: float
    ln_spread: float
    prior: float
    test: NextTest
    lines: tuple[str, ...] = ()


def pair_causes(pairs: Sequence[PairVerdict], system: System, evidence: Evidence) -> tuple[Cause, ...]:
    """The likely causes of the slow pairs of a run, most likely first; empty where none is slow."""
    low = [pair for pair in pairs if pair.status is Status.LOW]
    shown = [pair for pair in low if pair.reason.code in _SPECIFIC]
    if shown:
        test = _TESTS.get(shown[0].reason.code, DEVICE_TEST)
        return (Cause(shown[0].reason, 1.0, (), test),)
    rates = [(p.measured_bytes_per_s, p.expected_bytes_per_s) for p in low if p.measured_bytes_per_s]
    if not rates:
        return (Cause(low[0].reason, 1.0, (), LINK_TEST),) if low else ()
    rate = statistics.median(measured for measured, _ in rates if measured)
    expected = statistics.median(link for _, link in rates if link)
    return weighed(_kinds(low, system, evidence, expected), rate)


def weighed(kinds: Sequence[Kind], rate: float) -> tuple[Cause, ...]:
    """The causes that leave about this rate, bytes/s, most likely first."""
    weights = normal(
        [
            math.log(kind.prior)
            + (_CERTAIN if kind.lines else 0.0)
            + ln_student(math.log(rate / kind.bytes_per_s), kind.ln_spread)
            for kind in kinds
        ]
    )
    causes = [
        Cause(kind.reason, float(weight), kind.lines, kind.test)
        for kind, weight in zip(kinds, weights, strict=True)
    ]
    ordered = sorted(causes, key=lambda cause: -cause.weight)
    by_code = {cause.reason.code: cause for cause in reversed(ordered)}
    summed = [
        replace(best, weight=sum(cause.weight for cause in causes if cause.reason.code == code))
        for code, best in by_code.items()
    ]
    return ranked(summed)


def _kinds(low: Sequence[PairVerdict], system: System, evidence: Evidence, expected: float) -> list[Kind]:
    """What can slow these copies down, with the rate that it leaves."""
    lines = evidence.quote("pcie_link") or evidence.quote("acs", "on") or evidence.quote("aer")
    half = Reason(
        "pcie_path",
        "the PCIe path carries half of its rate: a slot below its width or generation, or ACS or IOMMU on",
        "PCIe path (ACS, IOMMU or slot)",
    )
    quarter, eighth = (
        Reason(
            "pcie_path",
            f"the PCIe path carries {part} of its rate: a slot with four lanes or of an older generation, "
            "as of a chipset, a riser or a Thunderbolt case",
            "PCIe slot of few lanes",
        )
        for part in ("a quarter", "an eighth")
    )
    across = Reason(
        "numa", "copies cross CPU sockets: wrong NUMA affinity of process, memory or GPU", "NUMA affinity"
    )
    staged = Reason(
        "staged_copies",
        "no peer access (P2P): copies are staged through host memory",
        "no peer access (P2P): staged through the host",
    )
    kinds = [Kind(_OTHER, 0.5 * expected, 0.7, 0.15, DEVICE_TEST)]
    on_pcie = scale_up_family(system) is Family.PCIE
    to_host = not any(pair.column for pair in low) or all(pair.row == "host" for pair in low)
    said = () if to_host else evidence.stated("ACS on") or evidence.stated("IOMMU on")
    if to_host or on_pcie:
        kinds.append(Kind(across, 0.62 * expected, 0.15, 0.2, _BIND_TEST))
        kinds += [Kind(across, _FAR_SHARE * expected, 0.3, 0.1, _BIND_TEST)] if to_host else []
        kinds.append(Kind(half, 0.42 * expected, 0.15, 0.35, PATH_TEST, lines or said))
        kinds.append(Kind(quarter, _QUARTER * expected, 0.15, 0.12, PATH_TEST, lines))
        kinds.append(Kind(eighth, _EIGHTH * expected, 0.15, 0.06, PATH_TEST, lines))
    pageable = evidence.stated("pageable memory") if to_host else ()
    if to_host and (pageable or evidence.stated("a program's copy")):
        kinds.append(Kind(_PAGEABLE, 0.22 * expected, 0.6, 0.5, _PIN_TEST, pageable))
    if not to_host:
        slot = pcie_rate(system) or expected
        kinds.append(Kind(staged, 0.3 * slot, 0.45, 0.3, PEER_TEST, evidence.quote("peer_access")))
    lanes = pcie_rate(system)
    if not to_host and not on_pcie and lanes:
        text = f"what the {lanes / GB:.3g} GB/s of a PCIe slot give, not {system.scale_up.link}"
        reason = Reason("pcie_instead_of_nvlink", text, "PCIe instead of NVLink")
        kinds.append(Kind(reason, 0.8 * lanes, 0.2, 0.4, LINK_TEST))
    return kinds
