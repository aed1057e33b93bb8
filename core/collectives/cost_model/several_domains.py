"""Lines across domains: ring, double tree (in-switch inside where there is one), pairwise exchange."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from core.catalog.calibrations.judged import CHAIN_WAIT, IN_SWITCH_SLICING, NICS_ONE_COLLECTIVE_DRIVES
from core.collectives.cost_model.line import Line, make_line
from core.collectives.cost_model.one_domain import (
    CHAINS,
    IN_SWITCH_FROM_RANKS,
    IN_SWITCH_MEASURED_RANKS,
    PASSES,
    by_collective,
    factor,
    in_switch_share,
    mesh_share,
    wire,
)

if TYPE_CHECKING:
    from core.catalog.calibrations.shapes import CrossingSet, DomainSet, HopSet, NetworkSet
    from core.collectives.cost_model.line import Floats
    from core.collectives.cost_model.setting import Resolved

LARGEST_BLOCK_KNOT = 3
SHARPNESS = 6.0


def lines(asked: Resolved, sizes: Floats, domain: DomainSet, network: NetworkSet) -> list[Line]:
    """Every algorithm that could run this collective across domains."""
    collective = asked.setting.collective
    if collective == "send_recv":
        return [_point_to_point(asked, sizes, domain, network)]
    if collective in ("all_to_all", "gather", "scatter"):
        return [_exchange(asked, sizes, network, hop, domain) for hop in network.exchange.protocols]
    found = [_ring(asked, sizes, domain, network, hop) for hop in network.ring.protocols]
    if collective in ("all_reduce", *CHAINS):
        found += [_tree(asked, sizes, domain, network, hop) for hop in network.tree.protocols]
    return found


def usable_nic_bytes_per_s(asked: Resolved) -> float:
    """W of one collective: it drives about a node's worth of NICs, however large the domain."""
    return min(float(asked.gpus), NICS_ONE_COLLECTIVE_DRIVES.value) * asked.nic_bytes_per_s


def extra_s(crossing: CrossingSet, piece_bytes: Floats) -> Floats:
    """What a hop of pieces of these bytes takes beyond one of a few bytes."""
    return factor(crossing.extra, piece_bytes, 1.0) * 1e-6


def slower_of(*times: Floats) -> Floats:
    """Two limits at once: a little slower than the slower one where they meet."""
    total: Floats = sum((time**SHARPNESS for time in times), start=np.zeros_like(times[0]))
    return total ** (1.0 / SHARPNESS)


def _inside_step_s(domain: DomainSet, protocol: str) -> float:
    steps = {one.name: one.step_s for one in domain.ring.protocols}
    return steps[protocol]


def _ring_rate(asked: Resolved, domain: DomainSet, protocol: str) -> float:
    """The ring's rate inside a domain; Simple reaches the one of its largest blocks."""
    rates = {one.name: one.bytes_per_s for one in domain.ring.protocols}
    scale = asked.link_bytes_per_s * mesh_share(asked) / domain.link_bytes_per_s
    if protocol == "Simple":
        scale *= math.exp(-domain.ring.correction.ln_factor[-LARGEST_BLOCK_KNOT])
    return rates[protocol] * scale


def _ring(asked: Resolved, sizes: Floats, domain: DomainSet, network: NetworkSet, hop: HopSet) -> Line:
    """Blocks once (twice for all_reduce) around all ranks; one hop a domain crosses the network."""
    n, domains, collective = asked.ranks, asked.domains, asked.setting.collective
    chain = collective in CHAINS
    passes = PASSES.get(collective, 1)
    block = sizes / n
    carried = sizes if chain else passes * (n - 1) * block
    inside = (n - domains) * _inside_step_s(domain, hop.name)
    crossing = (domains - 1 if chain else domains) * (hop.hop_s + extra_s(network.ring, block))
    across_s = carried / (hop.share * usable_nic_bytes_per_s(asked))
    least_s = carried / asked.domain_nic_bytes_per_s
    if asked.gpus > 1:
        rate = network.ring_inside_share * _ring_rate(asked, domain, hop.name)
        across_s = slower_of(across_s, carried / rate)
        least_s = np.maximum(least_s, carried / wire(asked))
    return make_line(
        sizes,
        "ring",
        hop.name,
        launch_s=by_collective(domain.ring.launch_s, collective),
        latency_s=passes * (inside + crossing) * (CHAIN_WAIT.value if chain else 1.0),
        transfer_s=across_s,
        wire_factor=1.0 if chain else passes * (n - 1) / n,
        least_s=least_s,
    )


def _tree(asked: Resolved, sizes: Floats, domain: DomainSet, network: NetworkSet, hop: HopSet) -> Line:
    """Double binary tree: up and down log2(N) hops; with two domains each NIC carries half."""
    n, g, domains = asked.ranks, asked.gpus, asked.domains
    collective = asked.setting.collective
    passes = PASSES.get(collective, 1)
    in_switch = domain.in_switch if collective == "all_reduce" and asked.family == "nvlink" else None
    hops_inside = min(g - 1, 2.0 * math.log2(g)) if g > 1 else 0.0
    inside = passes * hops_inside * _inside_step_s(domain, hop.name)
    crossing = passes * math.log2(domains) * (hop.hop_s + extra_s(network.tree, sizes))
    load = 0.5 if domains == 2 else 1.0
    transfer = passes * load * sizes / (hop.share * usable_nic_bytes_per_s(asked))
    name = "tree"
    if g > 1:
        rate: Floats | float = network.tree_inside_share * _ring_rate(asked, domain, hop.name)
        if in_switch is not None and g >= IN_SWITCH_FROM_RANKS and hop.name == "Simple":
            name = "nvlstree"
            scale = asked.link_bytes_per_s / domain.link_bytes_per_s
            slices = sizes * (IN_SWITCH_MEASURED_RANKS / g) ** IN_SWITCH_SLICING.value
            bend = factor(in_switch.correction, slices, scale)
            rate = np.maximum(rate, in_switch.bytes_per_s * in_switch_share(g) * scale / bend)
        transfer = slower_of(transfer, passes * (n - 1) / n * sizes / rate)
    return make_line(
        sizes,
        name,
        hop.name,
        launch_s=by_collective(domain.ring.launch_s, collective),
        latency_s=inside + crossing,
        transfer_s=transfer,
        wire_factor=passes * (n - 1) / n,
        least_s=passes * load * sizes / asked.domain_nic_bytes_per_s,
    )


def _exchange(asked: Resolved, sizes: Floats, network: NetworkSet, hop: HopSet, domain: DomainSet) -> Line:
    """Every rank sends a block to every other rank; those outside the domain share its NIC."""
    n, g = asked.ranks, asked.gpus
    block = sizes / n
    growth = factor(network.exchange.extra, block, 1.0)
    inside_rate = {one.name: one.bytes_per_s for one in domain.exchange.protocols}["Simple"]
    scale = asked.link_bytes_per_s * mesh_share(asked) / domain.link_bytes_per_s
    transfer = (n - g) * block / (hop.share * asked.nic_bytes_per_s)
    if g > 1:
        transfer = slower_of(transfer, (n - 1) * block / (inside_rate * scale))
    return make_line(
        sizes,
        "direct",
        hop.name,
        launch_s=by_collective(domain.exchange.launch_s, asked.setting.collective),
        latency_s=(n - 1) * hop.hop_s * growth,
        transfer_s=transfer,
        wire_factor=(n - 1) / n,
        least_s=(n - g) * block / asked.nic_bytes_per_s,
    )


def _point_to_point(asked: Resolved, sizes: Floats, domain: DomainSet, network: NetworkSet) -> Line:
    """Each rank sends to the next one; the ranks at a domain's edge wait for one NIC."""
    hop = network.ring.protocols[-1]
    share = network.point_to_point_share[0 if asked.domains == 2 else 1]
    return make_line(
        sizes,
        "direct",
        "Simple",
        launch_s=by_collective(domain.exchange.launch_s, "send_recv"),
        latency_s=hop.hop_s,
        transfer_s=sizes / (share * asked.nic_bytes_per_s),
        wire_factor=1.0,
        least_s=sizes / asked.nic_bytes_per_s,
    )
