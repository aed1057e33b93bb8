"""The scale-up domain of a custom system: what is given, else what its GPU has."""

from dataclasses import dataclass, replace

from core.catalog.links import LINKS
from core.catalog.step_latency import step_latency_s
from core.catalog.tiers import pcie_around
from core.catalog.wiring import WIRINGS
from core.checks import choice, count, number
from core.errors import InputError
from core.hardware import Fabric, Family, Gpu, Link, Topology
from core.systems.limits import MOST_GPUS, MOST_SHARED, latency_of, rate_of

_PAIR = 2


@dataclass(frozen=True, slots=True)
class DomainSpec:
    """
    The scale-up domain of a custom system; None takes the GPU's own from the catalog.

    Attributes:
        gpus: GPUs of the domain.
        topology: Scale-up kind. None is the GPU's own: switches, a mesh, bridge pairs, or PCIe
            through the host for a GPU without a link of its own.
        link: Catalog id of the GPU-to-GPU link (of a bridge for bridge pairs).
        bytes_per_s: Unidirectional, per GPU with all taking part; of the bridge for bridge pairs.
        latency_s: One step over that link.
        in_network_reduction: Of the switches of the domain (NVLS).
        pair_bytes_per_s: Unidirectional, between two neighbours (full mesh, bridge, cube mesh).
        taper: Full rate over the rate beyond ``untapered_ranks``.
        untapered_ranks: GPUs that keep the full rate among themselves.
        gpus_per_uplink: GPUs behind one PCIe switch or host bridge, whose uplink they share.
        host_link: Catalog id of the slot.
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
class CheckedDomain:
    """A checked domain: its fabric, that of a bridged pair, a neighbour's rate, slot and wiring."""

    fabric: Fabric
    bridge: Fabric | None
    pair_bytes_per_s: float | None
    host_link: str | None
    gpus_per_uplink: int
    wiring: tuple[tuple[int, ...], ...]


def scale_up_of(gpu: Gpu, spec: DomainSpec) -> CheckedDomain:
    """
    The domain of ``spec.gpus`` such GPUs.

    Raises:
        InputError: One line naming the value and what is allowed.
    """
    spec = replace(spec, gpus=count("domain_gpus", spec.gpus, most=MOST_GPUS))
    if spec.link is not None:
        choice("link", spec.link, [*LINKS, "yours"])
    host = spec.host_link or gpu.pcie_link
    if host is not None:
        choice("host_link", host, LINKS)
    topology = _topology(gpu, spec)
    spec = replace(spec, link=_link(gpu, spec, topology, host), topology=topology)
    uplink = count("gpus_per_uplink", spec.gpus_per_uplink)
    bridged = topology is Topology.BRIDGE
    fabric, bridge = _bridged(gpu, spec, host) if bridged else (_joined(gpu, spec, topology), None)
    pair = (bridge or fabric).bytes_per_s if bridged else spec.pair_bytes_per_s
    if topology is Topology.FULL_MESH and pair is None and gpu.mesh_peers is not None:
        pair = fabric.bytes_per_s / max(1, spec.gpus - 1)
    checked_pair = None if pair is None else rate_of("pair_bytes_per_s", pair)
    return CheckedDomain(fabric, bridge, checked_pair, host, uplink, _wiring(spec))


def _topology(gpu: Gpu, spec: DomainSpec) -> Topology:
    """The scale-up kind as given, else as machines join such GPUs."""
    topology = _own_topology(gpu, spec) if spec.topology is None else _named(spec.topology)
    if topology is Topology.SINGLE and spec.gpus > 1:
        message = f"topology: a single GPU, not {spec.gpus}"
        raise InputError(message)
    return topology


def _named(word: Topology | str) -> Topology:
    """The scale-up kind of this name, an old file's included; InputError lists the names."""
    try:
        return Topology(word)
    except ValueError:
        return Topology(choice("topology", str(word), [str(kind) for kind in Topology]))


def _own_topology(gpu: Gpu, spec: DomainSpec) -> Topology:
    link = LINKS.get(spec.link or "")
    if link is not None and link.family is Family.PCIE:
        return Topology.PCIE_HOST
    if spec.link in (None, gpu.scale_up_link) and gpu.scale_up_topology is not None:
        return gpu.scale_up_topology
    without_link = spec.link is None and gpu.scale_up is None and gpu.pcie_link is not None
    return Topology.PCIE_HOST if without_link else Topology.SWITCH


def _link(gpu: Gpu, spec: DomainSpec, topology: Topology, host: str | None) -> str:
    """Id of the GPU-to-GPU link: as given, else the slot for PCIe, else the GPU's own."""
    link = LINKS.get(spec.link or "")
    if not topology.pcie:
        own = gpu.scale_up_link if gpu.scale_up is not None else None
        _direct(topology, spec, link or LINKS.get(own or ""), gpu)
        return spec.link or own or "yours"
    if link is not None and link.family is not Family.PCIE:
        message = f"link: {topology} needs a PCIe link, not {link.id}"
        raise InputError(message)
    return spec.link or host or "yours"


def _direct(topology: Topology, spec: DomainSpec, link: Link | None, gpu: Gpu) -> None:
    """Refuse switches, meshes and bridges of a link that joins no GPUs directly, or of none at all."""
    if spec.gpus == 1 or topology is Topology.SINGLE:
        return
    stated = spec.bytes_per_s is not None or spec.pair_bytes_per_s is not None
    if link is None and (stated or spec.link is not None or gpu.scale_up or not gpu.pcie_link):
        return
    if link is None or link.scale_out or link.family is Family.PCIE:
        lacking = f"{link.id} is none" if link is not None else f"{gpu.name} has none"
        message = f"topology: {topology} joins GPU-to-GPU links, and {lacking}; one of PCIe switch, PCIe host"
        raise InputError(message)


def _joined(gpu: Gpu, spec: DomainSpec, topology: Topology) -> Fabric:
    """The fabric of a domain that one kind of link joins."""
    adds = gpu.in_network_reduction if spec.in_network_reduction is None else spec.in_network_reduction
    rate = _rate(gpu, spec) if spec.bytes_per_s is None else spec.bytes_per_s
    return Fabric(
        tier="domain",
        link=spec.link or "yours",
        topology=topology,
        ranks=spec.gpus,
        bytes_per_s=rate_of("scale_up_bytes_per_s", rate),
        latency_s=_latency_s(spec),
        in_network_reduction=adds and topology is Topology.SWITCH,
        taper=number("taper", spec.taper, least=1, most=MOST_SHARED),
        untapered_ranks=count("untapered_ranks", spec.untapered_ranks),
    )


def _bridged(gpu: Gpu, spec: DomainSpec, host: str | None) -> tuple[Fabric, Fabric | None]:
    """Fabric of the domain and of a bridged pair in it; a domain of two is the pair."""
    if spec.pair_bytes_per_s is not None:
        spec = replace(spec, bytes_per_s=spec.pair_bytes_per_s)
    pair = _joined(gpu, spec, Topology.BRIDGE)
    if spec.gpus <= _PAIR:
        return pair, None
    slot = LINKS.get(host or "")
    if slot is None or slot.rate is None:
        message = "host_link: bridge pairs reach the other GPUs over PCIe; name the slot"
        raise InputError(message)
    bridge = replace(pair, tier="bridge", ranks=_PAIR, taper=1.0)
    return pcie_around(bridge, slot, spec.gpus), bridge


def _rate(gpu: Gpu, spec: DomainSpec) -> float:
    """Unidirectional rate per GPU in a domain: the pairs' of a mesh, the GPU's own, else the link's."""
    peers = max(1, spec.gpus - 1)
    mesh = spec.topology is Topology.FULL_MESH
    if mesh and spec.pair_bytes_per_s is not None:
        return peers * rate_of("pair_bytes_per_s", spec.pair_bytes_per_s)
    if gpu.scale_up is not None and spec.link in (gpu.scale_up_link, "yours"):
        total = gpu.scale_up.bytes_per_s
        return min(1.0, peers / gpu.mesh_peers) * total if mesh and gpu.mesh_peers is not None else total
    printed = LINKS[spec.link].rate if spec.link in LINKS else None
    if printed is None:
        bare = f"{gpu.name} has no link of its own"
        why = f"{spec.link} has no rate of its own" if spec.link in LINKS else bare
        message = f"scale_up_bytes_per_s: {why}; give bytes_per_s of the domain, unidirectional per GPU"
        raise InputError(message)
    return printed.bytes_per_s


def _latency_s(spec: DomainSpec) -> float:
    """One step: as given, else of the link, of NVLink 4 for a link of your own."""
    stated = step_latency_s(LINKS.get(spec.link or "") or LINKS["nvlink4"])
    return latency_of("latency_s", stated if spec.latency_s is None else spec.latency_s)


def _wiring(spec: DomainSpec) -> tuple[tuple[int, ...], ...]:
    """The links of each pair, of a known cube mesh of as many GPUs."""
    if spec.wiring is None:
        return ()
    links = WIRINGS[choice("wiring", spec.wiring, WIRINGS)]
    if spec.gpus != len(links):
        message = f"wiring: {spec.wiring} joins {len(links)} GPUs, not {spec.gpus}"
        raise InputError(message)
    return links
