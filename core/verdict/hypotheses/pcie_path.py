"""A slow PCIe path between GPU and NIC, or of a GPU's own slot: ACS, IOMMU, ATS, width, generation, NUMA."""

import re

from core.units import GB
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.case import AGAINST, CERTAIN, SOME, STRONG, Case, Hypothesis
from core.verdict.hypotheses.frequencies import between_nodes
from core.verdict.records import NextTest, Reason

_HALF = 0.47
"""Of a rate, what is left at half the width, one generation less, or by way of the CPU's root port."""
_VIRTUAL = 0.6
"""Of bare metal's rate, what virtual machines without ATS reach: 0.56, 0.79 (nccl-tests issues 380, 156)."""
_LN_SPREAD = 0.22
_BELOW_HALF_SHARE = 0.2
"""Of root ports that forward between their slots at less than half: they are rarer, by any factor."""
_NO_PASSTHROUGH = re.compile(r"iommu=pt")
"""Of a warning of RCCL: the kernel's command line lacks it."""
TEST = NextTest(
    "sudo lspci -vvv | grep -E 'ACSCtl|LnkSta:'; cat /proc/cmdline; nvidia-smi topo -m",
    "`SrcValid+` on a bridge: ACS is on; `downgraded` or less than x16: the slot; GPU and "
    "NIC by SYS: across sockets",
    "lspci -vvv, grep ACSCtl and LnkSta",
)


def slow_pcie_path(case: Case) -> list[Hypothesis]:
    """Half of the NICs behind their slots; inside a domain on PCIe, half of the GPUs' slots."""
    ln_lines, lines, what = _lines(case.evidence)
    cause = (
        what
        or "ACS or IOMMU sends it by way of the CPU, ATS is off, or a slot runs below its width or generation"
    )
    if case.several_nodes:
        text = f"the PCIe path between GPUs and NICs carries half of its rate: {cause}"
        rate = _HALF * case.network_bytes_per_s
    elif case.over_pcie and case.pcie_bytes_per_s > 0:
        slot = f"{case.pcie_bytes_per_s / GB:.3g} GB/s"
        text = f"the PCIe path between the GPUs carries half of the {slot} of a slot: {cause}"
        times = case.expected_s / _HALF
        reason = Reason("pcie_path", text, f"PCIe path ({what or 'ACS, IOMMU or slot'})")
        return [Hypothesis(reason, 0.2, times, _LN_SPREAD, TEST, ln_lines, lines)]
    else:
        return []
    reason = Reason("pcie_path", text, f"PCIe path ({what or 'ACS, IOMMU or slot'})")
    prior = between_nodes(reason.code)
    half = Hypothesis(
        reason, (1 - _BELOW_HALF_SHARE) * prior, case.at_busbw(rate), _LN_SPREAD, TEST, ln_lines, lines
    )
    if case.evidence.references and case.evidence.stated("virtual machine"):
        of_host = case.at_busbw(_VIRTUAL * max(case.evidence.references))
        return [half, Hypothesis(reason, prior, of_host, _LN_SPREAD, TEST, STRONG, lines)]
    if lines and lines == case.evidence.far_adapters:
        return [half]
    text = f"the PCIe path between GPUs and NICs carries a fraction of its rate: {cause}"
    reason = Reason("pcie_path", text, reason.short)
    return [half, Hypothesis(reason, _BELOW_HALF_SHARE * prior, None, 0.0, TEST, ln_lines, lines)]


def _lines(evidence: Evidence) -> tuple[float, tuple[str, ...], str]:
    """What lspci, the kernel's command line and topo -m say of it: the strongest first."""
    translated = "passthrough" not in evidence.values("iommu")
    signs = (
        (CERTAIN, evidence.quote("pcie_link"), "a link of a GPU or NIC is downgraded"),
        (STRONG, evidence.quote("acs", "on"), "ACS is on"),
        (STRONG, evidence.stated("ACS on"), "ACS is on"),
        (STRONG, evidence.quote("aer"), "a PCIe link reports errors and repeats packets"),
        (SOME, evidence.far_adapters, "no NIC on the PCIe switch of its GPU (NUMA)"),
        (SOME, evidence.warned(_NO_PASSTHROUGH), "IOMMU translates (iommu=pt is missing)"),
        (SOME, evidence.quote("iommu", "on") if translated else (), "IOMMU is on"),
        (SOME, evidence.stated("IOMMU on") if translated else (), "IOMMU is on"),
        (
            SOME,
            evidence.stated("virtual machine"),
            "a virtual machine sends it by way of the IOMMU unless ATS is on",
        ),
        (
            SOME,
            evidence.quote("pcie_speed"),
            "a link below its slot's rate, though idle GPUs and other devices have that",
        ),
    )
    for ln_lines, said, what in signs:
        if said:
            return ln_lines, said, what
    return (AGAINST / 2 if evidence.quote("acs", "off") else 0.0), (), ""
