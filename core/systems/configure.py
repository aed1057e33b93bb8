"""Configure: a machine with so many domains, on this network, with these NICs."""

from dataclasses import replace

from core.catalog.links import LINKS
from core.catalog.step_latency import step_latency_s
from core.catalog.tiers import network_tiers, nic_rate
from core.checks import InputError, choice, count, number
from core.hardware import Link, System
from core.hardware.link import NODE_GPUS
from core.provenance import Scope
from core.systems.in_network import check_adding

_MOST_NICS = 100_000

NETWORKS = tuple(link.id for link in LINKS.values() if link.scale_out)
"""Ids of the links that can join domains."""


def configure(
    system: System,
    *,
    domains: int = 1,
    network: str | None = None,
    nics_per_domain: int | None = None,
    oversubscription: float | None = None,
    taper: float | None = None,
    gpus_per_uplink: int | None = None,
    in_network_reduction: bool | None = None,
) -> System:
    """
    The same machine with its fabrics rebuilt: domain, leaf, spine.

    Args:
        system: From the catalog, or yours.
        domains: How many of its domains take part.
        network: Id of the scale-out link; None keeps the machine's own.
        nics_per_domain: NICs of a domain; None keeps the machine's own (a network quoted per node
            or per GPU brings its own).
        oversubscription: Down over up capacity of a leaf, at least 1; None keeps the machine's own.
        taper: Full rate over the rate beyond ``untapered_ranks`` of the domain, at least 1.
        gpus_per_uplink: GPUs that share one PCIe uplink.
        in_network_reduction: The network's switches add (SHARP); None keeps it on the machine's own
            network and is off on another. A catalog network must be one of ``in_network.ADDING``.

    Raises:
        InputError: An impossible value, an unknown network, several domains without a network.
    """
    domains = count("domains", domains, most=1_000_000)
    own = 1.0 if system.scale_out is None else system.scale_out.oversubscription
    ratio = own if oversubscription is None else number("oversubscription", oversubscription, least=1)
    domain = system.scale_up
    if taper is not None:
        domain = replace(domain, taper=number("taper", taper, least=1))
    uplink = system.gpus_per_uplink if gpus_per_uplink is None else count("gpus_per_uplink", gpus_per_uplink)
    base = replace(system, domains=domains, gpus_per_uplink=uplink)
    wire = _wire(system, network, nics_per_domain)
    if wire is None:
        if domains > 1:
            message = f"network: {system.id} has none; name one of {', '.join(NETWORKS)}"
            raise InputError(message)
        return replace(base, fabrics=(domain,))
    link_id, nics, nic_bytes_per_s, latency_s = wire
    tiers = network_tiers(
        link_id,
        domain_gpus=system.domain_gpus,
        nics=nics,
        nic_bytes_per_s=nic_bytes_per_s,
        latency_s=latency_s,
        oversubscription=ratio,
    )
    adds = _adds(system, link_id, asked=in_network_reduction)
    outside = tuple(replace(tier, in_network_reduction=adds) for tier in tiers)
    return replace(base, network=link_id, nics_per_domain=nics, fabrics=(domain, *outside))


def _adds(system: System, link_id: str, *, asked: bool | None) -> bool:
    """Whether the network's switches add."""
    if asked is None:
        leaf = system.scale_out
        return leaf is not None and leaf.in_network_reduction and link_id == system.network
    if asked:
        check_adding(link_id)
    return asked


def _wire(
    system: System, network: str | None, nics_per_domain: int | None
) -> tuple[str, int, float, float] | None:
    """Network id, NICs, bytes/s of one NIC and latency; None where the machine has no network."""
    nics = None if nics_per_domain is None else count("nics_per_domain", nics_per_domain, most=_MOST_NICS)
    if network is None or (network == system.network and network not in LINKS):
        leaf = system.scale_out
        if leaf is None:
            if nics is not None:
                message = f"nics_per_domain: {system.id} has no network; name one with network"
                raise InputError(message)
            return None
        own_rate = leaf.bytes_per_s * system.domain_gpus / system.nics_per_domain
        return leaf.link, nics or system.nics_per_domain, own_rate, leaf.latency_s
    link = LINKS[choice("network", network, NETWORKS)]
    nics = nics or _own_nics(system, link)
    return link.id, nics, nic_rate(link) or 0.0, step_latency_s(link)


def _own_nics(system: System, link: Link) -> int:
    """NICs of a domain where nobody says: those a network brings along, else the machine's."""
    if link.rate is not None and link.rate.scope is Scope.NODE:
        return max(1, (link.links or 1) * system.domain_gpus // NODE_GPUS)
    if link.rate is not None and link.rate.scope is Scope.GPU:
        return system.domain_gpus
    if system.nics_per_domain:
        return system.nics_per_domain
    message = f"nics_per_domain: {system.id} has no NICs in the catalog; say how many"
    raise InputError(message)
