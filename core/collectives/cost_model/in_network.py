"""All-reduces with in-network reduction across nodes (SHARP), from steps and rates of domain and network."""

import numpy as np

from core.catalog.calibrations.estimates import IN_NETWORK_OVERLAP
from core.catalog.calibrations.shapes import DomainSet, InSwitchSet, NetworkSet
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.line import Line, make_line
from core.collectives.cost_model.one_domain import (
    IN_SWITCH_FROM_RANKS,
    adds_in_switch,
    by_collective,
    factor,
    in_switch_share,
    wire,
)
from core.collectives.cost_model.several_domains import (
    extra_s,
    inside_step_s,
    ring_rate,
    usable_nic_bytes_per_s,
)
from core.collectives.cost_model.soft_maximum import LINKS_SHARPNESS, soft_maximum
from core.hardware import Architecture

CHAIN, PIPELINED, IN_SWITCH = "sharp", "sharp-pipelined", "nvls-sharp"
ALGORITHMS = (CHAIN, PIPELINED, IN_SWITCH)
"""A chain inside, then the network; both at once; the domain's switches inside, too."""
SMALL, LARGE = "LL", "Simple"
"""Protocols whose steps and rates a chain has; two nodes of A100 take 22 us, which steps of LL explain."""


def lines(comm: Communicator, sizes: Floats, domain: DomainSet, network: NetworkSet) -> list[Line]:
    """
    What the library runs with in-network reduction, or the algorithm that the setting names; else none.

    Left to choose, it takes a chain or reduces in the domain's switches (NVLS) too where they can, whichever
    is quicker: small messages go along the chain.
    """
    setting, in_switch = comm.setting, _in_switch(comm, domain)
    if not setting.in_network_reduction or setting.collective != "all_reduce":
        return []
    if setting.algorithm == IN_SWITCH and in_switch is not None:
        return [_switched(comm, sizes, domain, network, in_switch)]
    if setting.algorithm not in ("auto", CHAIN, PIPELINED):
        return []
    pipelined = setting.algorithm == PIPELINED
    chains = [
        _chained(comm, sizes, domain, network, protocol, pipelined=pipelined) for protocol in (LARGE, SMALL)
    ]
    if setting.algorithm == "auto" and in_switch is not None:
        return [_switched(comm, sizes, domain, network, in_switch), *chains]
    return chains


def _in_switch(comm: Communicator, domain: DomainSet) -> InSwitchSet | None:
    """The constants of the domain's in-switch reduction (NVLS), where so many GPUs have it."""
    able = adds_in_switch(comm, domain) and comm.gpus >= IN_SWITCH_FROM_RANKS
    return domain.in_switch if able else None


def _chained(
    comm: Communicator,
    sizes: Floats,
    domain: DomainSet,
    network: NetworkSet,
    protocol: str,
    *,
    pipelined: bool,
) -> Line:
    """Reduce-scatter and all-gather inside, each share up to the network's switches once and down again."""
    g = comm.gpus
    across_s, hop_s = _across(comm, sizes, network, protocol)
    inside = 2 * (g - 1) / g * sizes
    transfer_s, least_s = across_s, sizes / comm.domain_nic_bytes_per_s
    if g > 1:
        inside_s = inside / ring_rate(comm, domain, protocol)
        transfer_s = soft_maximum(across_s, inside_s, LINKS_SHARPNESS if pipelined else _overlap(comm))
        least_s = np.maximum(least_s, inside / wire(comm))
    return make_line(
        sizes,
        PIPELINED if pipelined else CHAIN,
        protocol,
        launch_s=by_collective(domain.ring.launch_s, "all_reduce"),
        latency_s=2 * (g - 1) * inside_step_s(domain, protocol) + hop_s,
        transfer_s=transfer_s,
        wire_factor=2 * (g - 1) / g + 1 / g,
        least_s=least_s,
    )


def _overlap(comm: Communicator) -> float:
    """How far a chain works inside and across at once: 1 is one after the other, as NCCL 2.8 does on A100."""
    return IN_NETWORK_OVERLAP.value if comm.architecture.year >= Architecture.HOPPER.year else 1.0


def _switched(
    comm: Communicator, sizes: Floats, domain: DomainSet, network: NetworkSet, in_switch: InSwitchSet
) -> Line:
    """Reduction in the switches of both levels at once: each link carries about one message."""
    g = comm.gpus
    across_s, hop_s = _across(comm, sizes, network, LARGE)
    scale = comm.link_bytes_per_s / domain.link_bytes_per_s
    reached = in_switch.bytes_per_s * in_switch_share(g) * scale / factor(in_switch.correction, sizes, scale)
    inside = (g + 1) / g * sizes
    return make_line(
        sizes,
        IN_SWITCH,
        "",
        launch_s=in_switch.launch_s,
        latency_s=hop_s,
        transfer_s=soft_maximum(across_s, 2 * (g - 1) / g * sizes / reached, LINKS_SHARPNESS),
        wire_factor=(g + 1) / g + 1 / g,
        least_s=np.maximum(sizes / comm.domain_nic_bytes_per_s, inside / wire(comm)),
    )


def _across(comm: Communicator, sizes: Floats, network: NetworkSet, protocol: str) -> tuple[Floats, Floats]:
    """Seconds of the message through the NICs, once, and of its way to the switches and back."""
    hop = next(item for item in network.tree.protocols if item.name == protocol)
    across_s: Floats = sizes / (hop.share * usable_nic_bytes_per_s(comm))
    way_s: Floats = hop.hop_s + extra_s(network.tree, sizes / comm.gpus)
    return across_s, way_s
