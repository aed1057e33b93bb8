"""Build: a checked system of yours from its two parts, domain and network."""

import re
from dataclasses import dataclass, replace

from core.catalog.links import LINKS
from core.catalog.step_latency import step_latency_s
from core.catalog.tiers import network_tiers, nic_rate
from core.catalog.wiring import WIRINGS
from core.checks import InputError, choice, count, number
from core.hardware import Fabric, Gpu, Hop, System, Topology
from core.provenance import Scope, Source
from core.systems.configure import NETWORKS
from core.systems.in_network import check_adding

YOURS = Source("yours", "What you typed in", "this page or your system file")
_MOST_GPUS = 4096
_MOST_NICS = 100_000
_MOST_SHARED = 1e6
_FASTEST = 1e18
_LONGEST_S = 1e3


@dataclass(frozen=True, slots=True)
class DomainSpec:
    """
    The scale-up part of a machine of yours; None takes the GPU's own from the catalog.

    Attributes:
        topology: None is a switch, or PCIe through the host for a GPU without a link of its own.
        link: Catalog id of the wire, for the label and the calibrated rates.
        bytes_per_s: One way per GPU with all taking part.
        latency_s: One step inside the domain.
        pair_bytes_per_s: One way between two neighbours (full mesh, bridge, cube mesh).
        taper: Full rate over the rate beyond ``untapered_ranks``.
        gpus_per_uplink: GPUs that share one PCIe uplink.
        host_link: Catalog id of the way to the host.
        wiring: Name of a known cube mesh (``core.catalog.wiring``).
    """

    gpus: int
    topology: Topology | str | None = None
    link: str | None = None
    bytes_per_s: float | None = None
    latency_s: float | None = None
    in_network_reduction: bool | None = None
    pair_bytes_per_s: float | None = None
    taper: float = 1.0
    untapered_ranks: int = 1
    gpus_per_uplink: int = 1
    host_link: str | None = None
    wiring: str | None = None


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """
    The network of a machine of yours: a catalog link, a rate of a NIC, or both.

    Attributes:
        nics_per_domain: None is one a GPU, or what a network quoted per node brings.
        nic_bytes_per_s: One way per NIC.
        latency_s: One step between domains.
        oversubscription: Down over up capacity of a leaf.
        in_network_reduction: Its switches add (SHARP).
    """

    link: str | None = None
    nics_per_domain: int | None = None
    nic_bytes_per_s: float | None = None
    latency_s: float | None = None
    oversubscription: float = 1.0
    in_network_reduction: bool = False


def build(name: str, gpu: Gpu, domain: DomainSpec, network: NetworkSpec | None, domains: int) -> System:
    """A checked system of yours from its parts; InputError names the wrong one."""
    domains = count("domains", domains, most=1_000_000)
    domain = replace(domain, gpus=count("domain_gpus", domain.gpus, most=_MOST_GPUS))
    if domains > 1 and network is None:
        message = f"network: {domains} domains need one"
        raise InputError(message)
    fabric = _domain(gpu, domain)
    host = domain.host_link or gpu.pcie_link
    if host is not None:
        choice("host_link", host, LINKS)
    fabrics: tuple[Fabric, ...] = (fabric,)
    network_id, nics = None, 0
    if network is not None:
        network_id, nics, hop = _network(network, domain.gpus)
        if network.in_network_reduction:
            check_adding(network_id)
        tiers = network_tiers(
            network_id,
            domain_gpus=domain.gpus,
            nics=nics,
            nic_bytes_per_s=hop.bytes_per_s,
            latency_s=hop.latency_s,
            oversubscription=number("oversubscription", network.oversubscription, least=1, most=_MOST_SHARED),
        )
        fabrics += tuple(replace(tier, in_network_reduction=network.in_network_reduction) for tier in tiers)
    pair = domain.pair_bytes_per_s
    return System(
        id=slug(name),
        name=name,
        gpu=gpu,
        fabrics=fabrics,
        domain_gpus=domain.gpus,
        domains=domains,
        network=network_id,
        nics_per_domain=nics,
        host_link=host,
        pair_bytes_per_s=None if pair is None else rate_of("pair_bytes_per_s", pair),
        gpus_per_uplink=count("gpus_per_uplink", domain.gpus_per_uplink),
        yours=True,
        sources=(YOURS,),
        note="yours",
        wiring=_wiring(domain),
    )


def _domain(gpu: Gpu, spec: DomainSpec) -> Fabric:
    link_id, rate = _scale_up(gpu, spec)
    own = Topology.PCIE_HOST if link_id.startswith("pcie") else Topology.SWITCH
    word = spec.topology or own
    topology = _topology(word)
    if topology is Topology.SINGLE and spec.gpus > 1:
        message = f"topology: a single GPU, not {spec.gpus}"
        raise InputError(message)
    if topology is Topology.FULL_MESH and spec.bytes_per_s is None and spec.pair_bytes_per_s is not None:
        rate = max(1, spec.gpus - 1) * rate_of("pair_bytes_per_s", spec.pair_bytes_per_s)
    known = LINKS.get(link_id)
    step_s = spec.latency_s
    if step_s is None:
        step_s = step_latency_s(known) if known else step_latency_s(LINKS["nvlink4"])
    in_switch = gpu.in_network_reduction if spec.in_network_reduction is None else spec.in_network_reduction
    return Fabric(
        tier="domain",
        link=link_id,
        topology=topology,
        ranks=spec.gpus,
        bytes_per_s=rate_of("scale_up_bytes_per_s", rate),
        latency_s=number("latency_s", step_s, least=0, most=_LONGEST_S),
        in_network_reduction=in_switch and topology is Topology.SWITCH,
        taper=number("taper", spec.taper, least=1, most=_MOST_SHARED),
        untapered_ranks=count("untapered_ranks", spec.untapered_ranks),
    )


def _topology(word: Topology | str) -> Topology:
    """The scale-up kind of this name, an old file's included; InputError lists the names."""
    try:
        return Topology(word)
    except ValueError:
        return Topology(choice("topology", str(word), [str(kind) for kind in Topology]))


def _scale_up(gpu: Gpu, spec: DomainSpec) -> tuple[str, float]:
    """Id and one-way rate of the wire of a domain: what is given, else the GPU's own."""
    if spec.link is not None:
        choice("link", spec.link, [*LINKS, "yours"])
    own = gpu.scale_up_link if gpu.scale_up is not None else gpu.pcie_link
    link_id = spec.link or own or "yours"
    if spec.bytes_per_s is not None:
        return link_id, spec.bytes_per_s
    if gpu.scale_up is not None and spec.link in (None, gpu.scale_up_link):
        return link_id, gpu.scale_up.bytes_per_s
    printed = LINKS[link_id].rate if link_id in LINKS else None
    if printed is None:
        why = (
            f"{gpu.name} has no link of its own"
            if spec.link is None
            else f"{spec.link} has no rate of its own"
        )
        message = f"scale_up_bytes_per_s: {why}; give bytes_per_s of the domain, one way per GPU"
        raise InputError(message)
    return link_id, printed.bytes_per_s


def _network(spec: NetworkSpec, domain_gpus: int) -> tuple[str, int, Hop]:
    """Id, NICs of a domain, and rate and latency of one NIC."""
    nics = (
        domain_gpus
        if spec.nics_per_domain is None
        else count("nics_per_domain", spec.nics_per_domain, most=_MOST_NICS)
    )
    link = None
    if spec.link is not None and spec.link != "yours":
        link = LINKS[choice("network", spec.link, NETWORKS)]
    if (
        spec.nics_per_domain is None
        and link is not None
        and link.rate is not None
        and link.rate.scope is Scope.NODE
    ):
        nics = link.links or nics
    rate = spec.nic_bytes_per_s if spec.nic_bytes_per_s is not None else (nic_rate(link) if link else None)
    if rate is None:
        message = "nic_bytes_per_s: a network of yours needs the one-way rate of a NIC"
        raise InputError(message)
    step_s = spec.latency_s
    if step_s is None:
        step_s = step_latency_s(link or LINKS["ib-ndr"])
    latency_s = number("network_latency_s", step_s, least=0, most=_LONGEST_S)
    checked = Hop(latency_s, rate_of("nic_bytes_per_s", rate))
    return "yours" if link is None else link.id, nics, checked


def _wiring(spec: DomainSpec) -> tuple[tuple[int, ...], ...]:
    """The links of each pair, of a known cube mesh of as many GPUs."""
    if spec.wiring is None:
        return ()
    links = WIRINGS[choice("wiring", spec.wiring, WIRINGS)]
    if spec.gpus != len(links):
        message = f"wiring: {spec.wiring} joins {len(links)} GPUs, not {spec.gpus}"
        raise InputError(message)
    return links


def rate_of(name: str, value: object) -> float:
    """A rate that arithmetic survives: from 1 byte/s to 1e18."""
    return number(name, value, least=1, most=_FASTEST)


def slug(name: str) -> str:
    """An id from a name: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "yours"
