"""A system with so many domains, on this network, with these NICs."""

from dataclasses import dataclass, replace

from core.catalog.links import LINKS
from core.catalog.step_latency import step_latency_s
from core.catalog.tiers import network_tiers, nic_rate
from core.checks import choice, count, number
from core.errors import InputError
from core.hardware import Link, System
from core.hardware.link import NODE_GPUS
from core.provenance import Scope
from core.systems.in_network import check_adding
from core.systems.limits import MOST_DOMAINS, MOST_NICS


def scale_out_links() -> tuple[str, ...]:
    """Ids of the links that can join domains."""
    return tuple(link.id for link in LINKS.values() if link.scale_out)


NETWORKS = scale_out_links()
"""The same, of the catalog as shipped."""
USUAL_NETWORKS = ("ib-ndr", "ib-xdr", "roce-400")


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
    The same system with its fabrics rebuilt: domain, leaf, spine.

    Args:
        system: From the catalog, or custom.
        domains: How many of its domains take part.
        network: Id of the scale-out link; None keeps the system's own.
        nics_per_domain: NICs of a domain; None keeps the system's own (a network quoted per node
            or per GPU brings its own).
        oversubscription: Down over up capacity of a leaf, at least 1; None keeps the system's own.
        taper: Full rate over the rate beyond ``untapered_ranks`` of the domain, at least 1.
        gpus_per_uplink: GPUs behind one PCIe switch or host bridge.
        in_network_reduction: Of the network (SHARP); None keeps it on the system's own
            network and is off on another.

    Raises:
        InputError: An impossible value, an unknown network, several domains without a network.
    """
    domains = count("domains", domains, most=MOST_DOMAINS)
    own = 1.0 if system.scale_out is None else system.scale_out.oversubscription
    ratio = own if oversubscription is None else number("oversubscription", oversubscription, least=1)
    domain = system.scale_up
    if taper is not None:
        domain = replace(domain, taper=number("taper", taper, least=1))
    uplink = system.gpus_per_uplink if gpus_per_uplink is None else count("gpus_per_uplink", gpus_per_uplink)
    base = replace(system, domains=domains, gpus_per_uplink=uplink)
    nics = _nics(system, network, nics_per_domain)
    if nics is None:
        if domains > 1:
            message = (
                f"network: {system.id} has none; name one, such as {', '.join(USUAL_NETWORKS)} "
                f"(the Catalog page lists all {len(NETWORKS)})"
            )
            raise InputError(message)
        return replace(base, fabrics=(domain,))
    tiers = network_tiers(
        nics.link,
        domain_gpus=system.domain_gpus,
        nics=nics.count,
        nic_bytes_per_s=nics.bytes_per_s,
        latency_s=nics.latency_s,
        oversubscription=ratio,
    )
    adds = _adds(system, nics.link, stated=in_network_reduction)
    outside = tuple(replace(tier, in_network_reduction=adds) for tier in tiers)
    return replace(base, network=nics.link, nics_per_domain=nics.count, fabrics=(domain, *outside))


def _adds(system: System, link_id: str, *, stated: bool | None) -> bool:
    """Whether the network reduces: as stated, else as the system's own network does."""
    if stated is None:
        leaf = system.scale_out
        return leaf is not None and leaf.in_network_reduction and link_id == system.network
    if stated:
        check_adding(link_id)
    return stated


@dataclass(frozen=True, slots=True)
class _Nics:
    """Link and number of the NICs of a domain, its unidirectional rate, latency of a step."""

    link: str
    count: int
    bytes_per_s: float
    latency_s: float


def _nics(system: System, network: str | None, nics_per_domain: int | None) -> _Nics | None:
    """The NICs of a domain on this network; None where the system has no network."""
    nics = None if nics_per_domain is None else count("nics_per_domain", nics_per_domain, most=MOST_NICS)
    if network is None or (network == system.network and network not in LINKS):
        return _own_network(system, nics)
    link = LINKS[choice("network", network, scale_out_links(), listed="the Catalog page")]
    return _Nics(link.id, nics or _own_nics(system, link), nic_rate(link) or 0.0, step_latency_s(link))


def _own_network(system: System, nics: int | None) -> _Nics | None:
    """The system's own network with so many NICs of its rate."""
    leaf = system.scale_out
    if leaf is None:
        if nics is not None:
            message = f"nics_per_domain: {system.id} has no network; name one with network"
            raise InputError(message)
        return None
    rate = leaf.bytes_per_s * system.domain_gpus / system.nics_per_domain
    return _Nics(leaf.link, nics or system.nics_per_domain, rate, leaf.latency_s)


def _own_nics(system: System, link: Link) -> int:
    """NICs of a domain where nobody says: those a network brings along, else the system's."""
    if link.rate is not None and link.rate.scope is Scope.NODE:
        return max(1, (link.links or 1) * system.domain_gpus // NODE_GPUS)
    if link.rate is not None and link.rate.scope is Scope.GPU:
        return system.domain_gpus
    if system.nics_per_domain:
        return system.nics_per_domain
    message = f"nics_per_domain: {system.id} has no NICs in the catalog; say how many"
    raise InputError(message)
