"""A NIC's port that runs below the rate of the system's NICs: all rings go at its pace."""

import re
from collections import defaultdict

from core.units import GIGABIT_BYTES
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.case import SOME, STRONG, Case, Hypothesis
from core.verdict.hypotheses.nics import RING_SHARE
from core.verdict.records import NextTest, Reason

_RATE = re.compile(r"([\w.-]{1,80}) (\d{1,5}(?:\.\d{1,3})?)")
_BELOW = 0.9
_LN_SPREAD = 0.3
TEST = NextTest(
    'ibstat | grep -E "CA \'|State|Rate"; mlxlink -d mlx5_0   (each NIC of each node)',
    "a port below the others or below its cable's rate: cable, transceiver or switch port",
    "ibstat, grep Rate",
)


def slow_port(case: Case) -> list[Hypothesis]:
    """The NICs' rate, all at the pace of the slowest port that the log names."""
    system = case.ranks.system
    if not case.several_nodes or system.scale_out is None or case.network_bytes_per_s <= 0:
        return []
    nic_rate = system.scale_out.bytes_per_s * system.domain_gpus / system.nics_per_domain / GIGABIT_BYTES
    slowest = _slowest(case.evidence, nic_rate, system.nics_per_domain)
    if slowest is None:
        return []
    name, rate = slowest
    ln_lines = STRONG if name in case.evidence.adapter_names else SOME
    words = f"{name} at {rate:g} of {nic_rate:g} Gb/s"
    reason = Reason("slow_port", f"a NIC's port runs below its rate: {words}", words)
    times_s = case.at_busbw(RING_SHARE * case.network_bytes_per_s * rate / nic_rate)
    lines = case.evidence.quote("nic_rate", f"{name} {rate:g}")
    return [Hypothesis(reason, 0.12, times_s, _LN_SPREAD, TEST, ln_lines, lines)]


def _slowest(evidence: Evidence, nic_rate: float, nics: int) -> tuple[str, float] | None:
    """
    The slowest of a host's fastest ports, as many as a domain has NICs, with its rate in Gb/s.

    None where those are up to their rate, or where more ports of a lower rate make up for it.
    """
    slow = []
    for ports in _ports(evidence):
        fastest = sorted(ports.items(), key=lambda port: port[1])[-nics:]
        split = max(ports.values()) < _BELOW * nic_rate and sum(ports.values()) >= _BELOW * nics * nic_rate
        if fastest[0][1] < _BELOW * nic_rate and not split:
            slow.append(fastest[0])
    return min(slow, key=lambda port: port[1], default=None)


def _ports(evidence: Evidence) -> list[dict[str, float]]:
    """Of each host the rates of its ports, of those that NCCL names where it names any; bonds left out."""
    hosts: dict[str, dict[str, float]] = defaultdict(dict)
    for item in evidence.observations:
        match = _RATE.fullmatch(item.value) if item.kind == "nic_rate" else None
        if match is not None and "bond" not in match.group(1) and float(match.group(2)) > 0:
            hosts[item.host][match.group(1)] = float(match.group(2))
    used = [
        {name: rate for name, rate in ports.items() if name in evidence.adapter_names} or ports
        for ports in hosts.values()
    ]
    return [ports for ports in used if ports]
