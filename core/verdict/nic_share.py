"""How many NICs of a node a few of its GPUs use: as many as their rate tells, within their slots."""

import math
from dataclasses import replace

import numpy as np

from core.catalog import LINKS, SYSTEMS
from core.collectives.pricing import Scenario
from core.hardware import System
from core.measurement import Run
from core.verdict.floor import floor_s
from core.verdict.links import host_link_rate, link_rates, nics_in_use, pcie_rate
from core.verdict.log_network import by_port
from core.verdict.ranks import RankMapping, with_domains
from core.verdict.records import ASSUMED_NICS

_ABOVE = 1.03
"""A rate of this many times that of the NICs in use is of more NICs."""
_WHOLE = 0.9
"""Of a NIC's rate, what a slot must have left to serve one more."""


def within_slots(run: Run, scenario: Scenario, mapping: RankMapping) -> RankMapping:
    """
    The ranks with the NICs that they use where they are fewer than the GPUs of a node.

    NCCL gives a GPU the NICs nearest to it, and further ones up to the rate of its slot. A single
    GPU of a node never has more than its slot carries.
    """
    system, local = mapping.system, mapping.local_ranks
    if mapping.domains < 2 or not system.network or not by_port(system.network):  # noqa: PLR2004 (one node)
        return mapping
    port, slot = LINKS[system.network].rate, _slot(system)
    rate = port.bytes_per_s if port is not None else 0.0
    part = local < system.domain_gpus or system.unverified == ASSUMED_NICS
    if not rate or not slot or not (part or local == 1):
        return mapping
    in_use = nics_in_use(system, local)
    most = max(1, math.floor(local * slot / rate + 1 - _WHOLE))
    wanted = min(in_use, most) if local == 1 else in_use
    if part:
        at_hand = most if system.unverified == ASSUMED_NICS else min(most, system.nics_per_domain)
        wanted = min(max(wanted, _by_rate(run, scenario, mapping, wanted)), max(wanted, at_hand))
    if wanted == in_use:
        return mapping
    nics = -(-wanted * system.domain_gpus // local)
    widened = with_domains(system, mapping.domains, nics)
    return replace(mapping, system=replace(widened, unverified=system.unverified))


def _slot(system: System) -> float:
    """Bytes/s between a GPU and the rest of its node: PCIe, or the link of a superchip; 0 where unknown."""
    boards = [system, *(item for item in SYSTEMS.values() if item.gpu.id == system.gpu.id)]
    return max((rate or 0.0) for board in boards for rate in (pcie_rate(board), host_link_rate(board)))


def _by_rate(run: Run, scenario: Scenario, mapping: RankMapping, in_use: int) -> int:
    """How many NICs the bytes need in the measured times; 0 where those in use do."""
    samples = [sample for sample in run.samples if sample.size_bytes > 0 and sample.time_s > 0]
    if not samples:
        return 0
    links = link_rates(mapping.system, mapping.local_ranks, mapping.domains)
    if not links.domain_bytes_per_s:
        return 0
    sizes = np.array([sample.size_bytes for sample in samples], dtype=np.float64)
    alone = replace(links, gpu_bytes_per_s=float("inf"))
    floors = floor_s(scenario.collective, sizes, mapping.local_ranks, mapping.domains, alone)
    times = np.array([sample.time_s for sample in samples], dtype=np.float64)
    share = float(np.max(floors / times))
    return math.ceil(share / _ABOVE * in_use) if share > _ABOVE else 0
