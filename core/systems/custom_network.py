"""The network of a custom system: a catalog link, a NIC rate of your own, or both."""

from dataclasses import dataclass, replace

from core.catalog.links import LINKS
from core.catalog.step_latency import step_latency_s
from core.catalog.tiers import network_tiers, nic_rate
from core.checks import choice, count, number
from core.errors import InputError
from core.hardware import Fabric, Link
from core.provenance import Scope
from core.systems.configure import scale_out_links
from core.systems.in_network import check_adding
from core.systems.limits import MOST_NICS, MOST_SHARED, latency_of, rate_of


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """
    The scale-out fabric of a custom system.

    Attributes:
        link: Catalog id; None or ``yours`` for a network of your own, which needs ``nic_bytes_per_s``.
        nics_per_domain: None is one per GPU, or what a network quoted per node brings.
        nic_bytes_per_s: Unidirectional, per NIC.
        latency_s: One step between domains.
        oversubscription: Down over up capacity of a leaf.
        in_network_reduction: Of its switches (SHARP).
    """

    link: str | None = None
    nics_per_domain: int | None = None
    nic_bytes_per_s: float | None = None
    latency_s: float | None = None
    oversubscription: float = 1.0
    in_network_reduction: bool = False


@dataclass(frozen=True, slots=True)
class Network:
    """A checked network: id of its link, NICs of a domain, and its tiers, leaf first."""

    link: str
    nics_per_domain: int
    tiers: tuple[Fabric, ...]


def network_of(spec: NetworkSpec, domain_gpus: int) -> Network:
    """
    The tiers of a network for domains of so many GPUs.

    Raises:
        InputError: One line naming the value and what is allowed.
    """
    link = None
    if spec.link is not None and spec.link != "yours":
        link = LINKS[choice("network", spec.link, scale_out_links(), listed="the Catalog page")]
    link_id = "yours" if link is None else link.id
    nics = _nics(spec, link, domain_gpus)
    rate = spec.nic_bytes_per_s if spec.nic_bytes_per_s is not None else (nic_rate(link) if link else None)
    if rate is None:
        message = "nic_bytes_per_s: a network of yours needs the unidirectional rate of a NIC"
        raise InputError(message)
    latency_s = step_latency_s(link or LINKS["ib-ndr"]) if spec.latency_s is None else spec.latency_s
    latency_s = latency_of("network_latency_s", latency_s)
    rate = rate_of("nic_bytes_per_s", rate)
    if spec.in_network_reduction:
        check_adding(link_id)
    tiers = network_tiers(
        link_id,
        domain_gpus=domain_gpus,
        nics=nics,
        nic_bytes_per_s=rate,
        latency_s=latency_s,
        oversubscription=number("oversubscription", spec.oversubscription, least=1, most=MOST_SHARED),
    )
    adding = tuple(replace(tier, in_network_reduction=spec.in_network_reduction) for tier in tiers)
    return Network(link_id, nics, adding)


def _nics(spec: NetworkSpec, link: Link | None, domain_gpus: int) -> int:
    """NICs of a domain: as given, those of a network quoted per node, else one per GPU."""
    if spec.nics_per_domain is not None:
        return count("nics_per_domain", spec.nics_per_domain, most=MOST_NICS)
    if link is not None and link.rate is not None and link.rate.scope is Scope.NODE:
        return link.links or domain_gpus
    return domain_gpus
