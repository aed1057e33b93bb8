"""The slowest that a message over a healthy network is, where the interval is wide or rests on a tree."""

from dataclasses import replace

import numpy as np

from core.catalog import LINKS
from core.checks import Floats, InputError
from core.collectives.pricing import Scenario, sweep
from core.hardware import Family
from core.measurement.bus_factor import bus_factor
from core.units import MIB
from core.verdict.evidence import Evidence
from core.verdict.links import LinkRates
from core.verdict.ranks import RankMapping

HEALTHY_SHARE = 0.53
"""Of the NICs' rate: published healthy runs over these networks up to 16 nodes reach 0.59 and more."""
LARGE_BYTES, LARGE_CHUNK_BYTES = 256 * MIB, 4 * MIB
"""From this message size on, and this share of it for each rank."""
MOST_DOMAINS = 16
RING_TIMES = 1.1
"""Over the model's time of rings: up to so many times it, rings between two nodes run at their full rate."""
_PORT_SHARE = 0.97
"""Of a port's signalling rate, as perftest shows it: 48.5 of 50 GB/s."""
RINGS_FROM_BYTES = 32 * MIB
"""Below it latency decides, of which rings have far more."""
_FAMILIES = (Family.INFINIBAND, Family.ETHERNET, Family.SLINGSHOT)
_COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter")


def slowest_on_network_s(
    collective: str, ranks: int, size_bytes: Floats, mapping: RankMapping, links: LinkRates
) -> Floats:
    """
    Seconds of rings over all NICs at ``HEALTHY_SHARE`` of their rate; infinite where that says nothing.

    It says nothing of small messages, of other networks and collectives, of very many nodes, and
    where the links inside a node are slower than its NICs.
    """
    nothing: Floats = np.full(len(size_bytes), np.inf)
    link = LINKS.get(mapping.system.network or "")
    across, factor = links.domain_bytes_per_s, bus_factor(collective, ranks)
    if link is None or across is None or factor is None or collective not in _COLLECTIVES:
        return nothing
    if (
        link.family not in _FAMILIES
        or not 1 < mapping.domains <= MOST_DOMAINS
        or links.gpu_bytes_per_s < across
    ):
        return nothing
    large = (size_bytes >= LARGE_BYTES) & (size_bytes >= LARGE_CHUNK_BYTES * ranks)
    slowest: Floats = np.where(large, factor * size_bytes / (HEALTHY_SHARE * across), np.inf)
    return slowest


def ring_between_two_s(
    scenario: Scenario, mapping: RankMapping, size_bytes: Floats, *, forced: bool = False
) -> Floats:
    """
    Seconds of a large all-reduce by rings at their full rate between two nodes; 0 elsewhere.

    The model's own choice there is a tree, whose bus bandwidth is above the rate of the NICs. A run
    by rings that fills the NICs is as healthy, whichever NCCL chose; so is, by its rate alone, a tree
    over half of the NICs, which is not (``names_rings``). Where settings force rings, small messages
    go by them too, as slowly as rings do there.
    """
    nothing: Floats = np.zeros(len(size_bytes))
    two = mapping.domains == 2  # noqa: PLR2004 (of more nodes rings are the model's own choice)
    if scenario.collective != "all_reduce" or not two or scenario.algorithm != "auto":
        return nothing
    try:
        rings = sweep(replace(scenario, algorithm="ring"), size_bytes)
    except InputError:
        return nothing
    calibrated = bool(np.any(rings.high_s > rings.low_s))
    large = size_bytes >= RINGS_FROM_BYTES
    small_s = rings.high_s if forced else nothing
    slowest: Floats = np.where(large, RING_TIMES * rings.time_s, small_s) if calibrated else nothing
    return slowest


def exchange_at_ports_s(
    scenario: Scenario, size_bytes: Floats, mapping: RankMapping, links: LinkRates
) -> Floats:
    """
    Seconds of a large exchange whose bus bandwidth is the rate of a GPU's share of the NICs; 0 elsewhere.

    Between few nodes much of it stays inside them, so that more is possible; the ports' rate is what such
    machines are measured by (github.com/NVIDIA/nccl-tests/issues/267 and 130), and no sign of a defect.
    """
    nothing: Floats = np.zeros(len(size_bytes))
    across = links.domain_bytes_per_s
    if scenario.collective != "all_to_all" or across is None:
        return nothing
    factor = bus_factor(scenario.collective, scenario.ranks) or 0.0
    at_ports_s: Floats = factor * size_bytes * mapping.local_ranks / (_PORT_SHARE * across)
    return np.where(size_bytes >= RINGS_FROM_BYTES, at_ports_s, nothing)


def names_rings(evidence: Evidence, mapping: RankMapping) -> bool:
    """Whether a log rules out a tree over half of the NICs: it names all of them, or forces rings."""
    named = evidence.chosen_adapters if evidence.adapters is None else evidence.adapters
    return forced_rings(evidence) or (named or 0) >= max(1, mapping.system.nics_per_domain)


def forced_rings(evidence: Evidence) -> bool:
    """Whether settings leave NCCL rings alone, as for a measurement of the network."""
    return evidence.setting("NCCL_ALGO").casefold() == "ring"


def own_nic_s(collective: str, size_bytes: Floats, mapping: RankMapping, links: LinkRates) -> Floats:
    """Seconds of a send at the rate of a GPU's own NIC, which it may reach; infinite elsewhere."""
    across = links.domain_bytes_per_s
    if collective != "send_recv" or across is None:
        return np.full(len(size_bytes), np.inf)
    at_rate: Floats = size_bytes * mapping.local_ranks / across
    return at_rate
