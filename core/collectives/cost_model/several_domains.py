"""Lines across domains: ring, double tree (in-switch inside where there is one), pairwise exchange."""

import math

import numpy as np

from core.catalog.calibrations.estimates import (
    CHAIN_WAIT,
    EXCHANGE_PORT,
    IN_SWITCH_SLICING,
    NICS_ONE_COLLECTIVE_DRIVES,
    NICS_ONE_GATHER_DRIVES,
    PLAIN_TREE,
    RACK_CHAIN,
    SCATTER_PORTS,
)
from core.catalog.calibrations.shapes import CrossingSet, DomainSet, HopSet, NetworkSet, Protocol, RingSet
from core.checks import Floats
from core.collectives.cost_model import rack
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.line import Line, make_line
from core.collectives.cost_model.one_domain import (
    CHAINS,
    IN_SWITCH_FROM_RANKS,
    IN_SWITCH_MEASURED_RANKS,
    PASSES,
    PEER_WAIT,
    adds_in_switch,
    by_collective,
    factor,
    in_switch_share,
    mesh_share,
    wire,
)
from core.collectives.cost_model.point_to_point import across_rate
from core.collectives.cost_model.soft_maximum import LINKS_SHARPNESS, soft_maximum
from core.hardware.link import NODE_GPUS

RINGS_ALONE = ("tcpx-100",)
"""Networks whose cloud sets NCCL to rings with Simple (Google's environment for TCPX)."""
LOG2_LARGEST_BLOCK = 29.0
"""Bytes of a block that the ring carries at its full rate."""
GATHERS = ("all_gather", "reduce_scatter")


def lines(comm: Communicator, sizes: Floats, domain: DomainSet, network: NetworkSet) -> list[Line]:
    """Every algorithm that runs this collective across domains; a broadcast or reduce has rings alone."""
    collective = comm.setting.collective
    if collective == "send_recv":
        return [_point_to_point(comm, sizes, domain, network)]
    if collective in ("all_to_all", "gather", "scatter"):
        return [_exchange(comm, sizes, network, hop, domain) for hop in network.exchange.protocols]
    if rings_alone(comm):
        return [_ring(comm, sizes, domain, network, network.ring.protocols[-1])]
    options = [_ring(comm, sizes, domain, network, hop) for hop in network.ring.protocols]
    if collective == "all_reduce" or (collective in CHAINS and comm.setting.algorithm == "tree"):
        options += [_tree(comm, sizes, domain, network, hop) for hop in network.tree.protocols]
    return options


def rings_alone(comm: Communicator) -> bool:
    """Whether the library is set to rings with Simple, which only a forced algorithm overrules."""
    return comm.network in RINGS_ALONE and comm.setting.algorithm == "auto"


def usable_nic_bytes_per_s(comm: Communicator) -> float:
    """NIC rate of a domain that one collective drives, one way: about a node's worth of NICs, gathers two."""
    port = max(comm.nic_bytes_per_s, comm.port_bytes_per_s * comm.setting.scale_out_port_share)
    gathers = comm.setting.collective in GATHERS
    nics = NICS_ONE_GATHER_DRIVES if gathers else NICS_ONE_COLLECTIVE_DRIVES
    return min(comm.domain_nic_bytes_per_s, nics.value * port)


def exchange_nic_bytes_per_s(comm: Communicator) -> float:
    """NIC rate that an exchange drives of each GPU: all its ports in a node, one at most in a rack."""
    port = min(comm.port_bytes_per_s * comm.setting.scale_out_port_share, EXCHANGE_PORT.value)
    all_ports = comm.nic_bytes_per_s
    driven: float = min(port / all_ports, 1.0) ** rack_part(comm)
    return all_ports * driven


def rack_part(comm: Communicator) -> float:
    """How much of a rack a domain is: 0 a host, 1 from twice its GPUs on; nobody measured one between."""
    return min(max(math.log2(comm.gpus / rack.host_gpus(comm)), 0.0), 1.0)


def extra_s(crossing: CrossingSet, piece_bytes: Floats) -> Floats:
    """What a hop of pieces of these bytes takes beyond one of a few bytes."""
    return factor(crossing.extra, piece_bytes, 1.0) * 1e-6


def inside_step_s(domain: DomainSet, protocol: str) -> float:
    """One step of a ring inside a domain."""
    return _protocol(domain.ring, protocol).step_s


def _protocol(ring: RingSet, name: str) -> Protocol:
    return next(protocol for protocol in ring.protocols if protocol.name == name)


def ring_rate(comm: Communicator, domain: DomainSet, protocol: str) -> float:
    """The ring's rate inside a domain; Simple reaches the one of its largest blocks."""
    scale = comm.link_bytes_per_s * mesh_share(comm) / domain.link_bytes_per_s
    if protocol == "Simple":
        bend = domain.ring.correction
        scale *= math.exp(-np.interp(LOG2_LARGEST_BLOCK, bend.log2_bytes, bend.ln_factor))
    return _protocol(domain.ring, protocol).bytes_per_s * scale


def _ring(comm: Communicator, sizes: Floats, domain: DomainSet, network: NetworkSet, hop: HopSet) -> Line:
    """Blocks once (twice for all_reduce) around all ranks; one hop a domain crosses the network."""
    n, domains, collective = comm.ranks, comm.domains, comm.setting.collective
    chain = collective in CHAINS
    passes = PASSES.get(collective, 1)
    block = sizes / n
    carried = sizes if chain else passes * (n - 1) * block
    inside = (n - domains) * inside_step_s(domain, hop.name)
    hops = domains - 1 if chain else domains
    overlapped = (domains / 2) ** (network.ring_growth - 1)
    crossing = hops * (hop.hop_s + extra_s(network.ring, block) * overlapped)
    across_s = carried / (hop.share * usable_nic_bytes_per_s(comm))
    least_s = carried / comm.domain_nic_bytes_per_s
    if comm.gpus > 1:
        rate = network.ring_inside_share * ring_rate(comm, domain, hop.name)
        across_s = soft_maximum(across_s, carried / rate, LINKS_SHARPNESS)
        least_s = np.maximum(least_s, carried / wire(comm))
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


def _tree(comm: Communicator, sizes: Floats, domain: DomainSet, network: NetworkSet, hop: HopSet) -> Line:
    """Double binary tree over chains of the domains' GPUs; an all-reduce of two loads each NIC by half."""
    n, g, domains = comm.ranks, comm.gpus, comm.domains
    collective = comm.setting.collective
    passes = PASSES.get(collective, 1)
    able = collective == "all_reduce" and domain.in_switch is not None and g >= IN_SWITCH_FROM_RANKS
    adds = able and adds_in_switch(comm, domain) and comm.setting.algorithm != "tree"
    in_switch = domain.in_switch if adds else None
    hops_inside = _chain(g)
    depth = math.log2(domains)
    crossing = passes * (depth * hop.hop_s + depth**network.tree_growth * extra_s(network.tree, sizes))
    load = 0.5 if domains == 2 and passes == 2 else 1.0
    kept = PLAIN_TREE.value if able and not adds and hop.name == "Simple" else 1.0
    transfer = passes * load * sizes / (kept * hop.share * usable_nic_bytes_per_s(comm))
    name = "tree"
    if g > 1:
        rate: Floats | float = network.tree_inside_share * ring_rate(comm, domain, hop.name)
        if in_switch is not None and hop.name == "Simple":
            name = "nvlstree"
            beyond = RACK_CHAIN.value * max(g - NODE_GPUS, 0)
            hops_inside = min(hops_inside, 2.0 * math.log2(min(g, NODE_GPUS)) + beyond)
            scale = comm.link_bytes_per_s / domain.link_bytes_per_s
            slices = sizes * (IN_SWITCH_MEASURED_RANKS / g) ** IN_SWITCH_SLICING.value
            bend = factor(in_switch.correction, slices, scale)
            rate = np.maximum(rate, in_switch.bytes_per_s * in_switch_share(g) * scale / bend)
        transfer = soft_maximum(transfer, passes * (n - 1) / n * sizes / rate, LINKS_SHARPNESS)
    return make_line(
        sizes,
        name,
        hop.name,
        launch_s=by_collective(domain.ring.launch_s, collective),
        latency_s=passes * hops_inside * inside_step_s(domain, hop.name) + crossing,
        transfer_s=transfer,
        wire_factor=passes * (n - 1) / n,
        least_s=passes * load * sizes / comm.domain_nic_bytes_per_s,
    )


def _chain(gpus: int) -> float:
    """Hops of a tree inside a domain: GPUs of a node overlap, those beyond pass it on one by one."""
    node = min(gpus, NODE_GPUS)
    return min(node - 1.0, 2.0 * math.log2(node)) + gpus - node


def _exchange(comm: Communicator, sizes: Floats, network: NetworkSet, hop: HopSet, domain: DomainSet) -> Line:
    """
    Every rank sends a block to every other rank; those outside the domain share its NIC.

    The root of a gather waits for all its peers at once.
    """
    n, g, collective = comm.ranks, comm.gpus, comm.setting.collective
    hops = 1 + PEER_WAIT * (n - 2) if collective == "gather" else n - 1
    ports = SCATTER_PORTS.value if collective == "scatter" else 1.0
    all_ports = min(ports * comm.nic_bytes_per_s, comm.domain_nic_bytes_per_s)
    block = sizes / n
    growth = factor(network.exchange.extra, block, 1.0)
    inside_rate = _protocol(domain.exchange, "Simple").bytes_per_s
    scale = comm.link_bytes_per_s * mesh_share(comm) / domain.link_bytes_per_s
    crowd = (comm.domains / 2) ** network.exchange_fade * max(g / NODE_GPUS, 1.0) ** network.exchange_rack
    driven = exchange_nic_bytes_per_s(comm) * all_ports / comm.nic_bytes_per_s
    transfer = (n - g) * block / (hop.share * driven) * crowd
    if g > 1:
        transfer = soft_maximum(transfer, (n - 1) * block / (inside_rate * scale), LINKS_SHARPNESS)
    return make_line(
        sizes,
        "direct",
        hop.name,
        launch_s=by_collective(domain.exchange.launch_s, collective),
        latency_s=hops * hop.hop_s * growth,
        transfer_s=transfer,
        wire_factor=(n - 1) / n,
        least_s=(n - g) * block / all_ports,
    )


def _point_to_point(comm: Communicator, sizes: Floats, domain: DomainSet, network: NetworkSet) -> Line:
    """Each rank sends to the next one; the ranks at a domain's edge wait for one NIC."""
    hop = network.ring.protocols[-1]
    return make_line(
        sizes,
        "direct",
        "Simple",
        launch_s=by_collective(domain.exchange.launch_s, "send_recv"),
        latency_s=hop.hop_s,
        transfer_s=sizes / across_rate(comm, network.point_to_point_share),
        wire_factor=1.0,
        least_s=sizes / comm.nic_bytes_per_s,
    )
