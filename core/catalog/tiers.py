"""Tiers: the fabrics of a system from the inside out: bridge, domain, leaf, spine."""

from dataclasses import replace

from core.catalog.step_latency import step_latency_s
from core.hardware import Fabric, Gpu, Link, Topology
from core.provenance import Scope

LEAF_DOMAINS = 32
"""Domains under one leaf: a rail's switch of 64 ports with half of them down."""

SPINE_DOMAINS = LEAF_DOMAINS * 64
"""Domains under two levels of such switches."""


def domain_tier(
    link: Link,
    gpu: Gpu,
    ranks: int,
    topology: Topology,
    *,
    taper: float = 1.0,
    untapered_ranks: int = 1,
) -> Fabric:
    """The scale-up tier: what one GPU can send to all others of its domain."""
    rate = link.rate if gpu.scale_up is None or topology.pcie else gpu.scale_up
    if rate is None:
        message = f"{link.id}: no rate is printed"
        raise ValueError(message)
    return Fabric(
        tier="domain",
        link=link.id,
        topology=topology,
        ranks=ranks,
        bytes_per_s=rate.bytes_per_s,
        latency_s=step_latency_s(link),
        in_network_reduction=gpu.in_network_reduction and topology is Topology.SWITCH,
        taper=taper,
        untapered_ranks=untapered_ranks,
    )


def pcie_around(bridge: Fabric, slot: Link, ranks: int) -> Fabric:
    """The domain of ``ranks`` GPUs in bridged pairs: PCIe, which carries what leaves a pair."""
    if slot.rate is None:
        message = f"{slot.id}: no rate is printed"
        raise ValueError(message)
    return replace(
        bridge,
        tier="domain",
        link=slot.id,
        ranks=ranks,
        bytes_per_s=slot.rate.bytes_per_s,
        latency_s=step_latency_s(slot),
    )


def network_tiers(
    link_id: str,
    *,
    domain_gpus: int,
    nics: int,
    nic_bytes_per_s: float,
    latency_s: float,
    oversubscription: float = 1.0,
) -> tuple[Fabric, Fabric]:
    """Leaf and spine of a network; the leaf's uplinks carry 1 / ``oversubscription`` of its ports."""
    per_gpu = nics * nic_bytes_per_s / domain_gpus
    leaf = Fabric(
        tier="leaf",
        link=link_id,
        topology=Topology.SWITCH,
        ranks=domain_gpus * LEAF_DOMAINS,
        bytes_per_s=per_gpu,
        latency_s=latency_s,
        oversubscription=oversubscription,
    )
    spine = Fabric(
        tier="spine",
        link=link_id,
        topology=Topology.SWITCH,
        ranks=domain_gpus * SPINE_DOMAINS,
        bytes_per_s=per_gpu / oversubscription,
        latency_s=latency_s,
    )
    return leaf, spine


def nic_rate(link: Link) -> float | None:
    """Unidirectional bytes/s of one NIC: a port, a GPU's share, or a node's total over its NICs."""
    if link.rate is None:
        return None
    if link.rate.scope is Scope.NODE:
        return link.rate.bytes_per_s / (link.links or 1)
    return link.rate.bytes_per_s if link.rate.scope in (Scope.PORT, Scope.GPU) else None
