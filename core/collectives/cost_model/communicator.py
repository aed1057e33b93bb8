"""A setting in physical terms: the ranks of a communicator and the links between them."""

import math
from dataclasses import dataclass, replace

from core.catalog.calibrations.shapes import DomainKind
from core.catalog.gpus import GPUS
from core.catalog.links import LINKS
from core.checks import InputError, alternatives, number
from core.collectives.cost_model.setting import ENGINES, Setting, check, engine_runs
from core.hardware import Architecture, Family, Gpu, Link, Topology
from core.provenance import Scope
from core.systems.in_network import check_adding

SLOWEST_BYTES_PER_S, FASTEST_BYTES_PER_S = 1.0, 1e18
PAIR = 2
LONELY_LINK = "pcie4-x16"
"""Of a GPU alone in its domain, of which nothing is known: nothing crosses it."""
AS_CATALOGUED = 0.01
"""Up to this difference two rates are one and the same."""

SPELLINGS = {"xgmi": Family.INFINITY_FABRIC}
"""Words for a family that none of its ids begins with."""
KINDS = {Family.PCIE: DomainKind.PCIE, Family.INFINITY_FABRIC: DomainKind.MESH}
"""By family of link; the others are switched."""


@dataclass(frozen=True, slots=True)
class Communicator:
    """
    The ranks of a checked Setting and the links between them.

    Attributes:
        architecture: Of the GPU; of an unknown one as far as its link tells.
        vendor: As datasheets name it; empty where unknown.
        link_bytes_per_s: Scale-up rate of a GPU, one way.
        gpus: Of each domain taking part.
        network_family: Of the scale-out link; None inside one domain or where it is unknown.
        network: Id of the link whose measurements stand for the scale-out link; empty where unknown.
        nic_bytes_per_s: A GPU's share of the scale-out rate, one way; infinite inside one domain.
        port_bytes_per_s: Rate of one port of the network, one way.
        peer_to_peer: GPUs copy to each other over PCIe without host memory.
        in_switch: The switches of the domain could reduce (NVLS).
        usual_switching: They do where such GPUs were measured with in-network reduction, and only there.
        catalogued: GPU, scale-up link and network are entries of the catalog.
        own_link: The scale-up link is one that such a GPU has, or another at the same rate.
        rate_given: The scale-up rate was given, not looked up.
        replaced: The engine that was asked for where it has no kernel and its library answers; else empty.
    """

    setting: Setting
    architecture: Architecture
    vendor: str
    kind: DomainKind
    link_bytes_per_s: float
    gpus: int
    domains: int
    network_family: Family | None
    network: str
    nic_bytes_per_s: float
    port_bytes_per_s: float
    peer_to_peer: bool
    in_switch: bool
    usual_switching: bool
    catalogued: bool
    own_link: bool
    rate_given: bool
    replaced: str = ""

    @property
    def ranks(self) -> int:
        """All GPUs taking part."""
        return self.gpus * self.domains

    @property
    def domain_nic_bytes_per_s(self) -> float:
        """What one domain can send over its NICs, one way."""
        return self.gpus * self.nic_bytes_per_s


@dataclass(frozen=True, slots=True)
class ScaleUp:
    """
    The scale-up link of a setting: its family, its one-way rate of a GPU, and what is known of it.

    Attributes:
        own: One that the GPU has, or another at the same rate.
    """

    family: Family
    bytes_per_s: float
    catalogued: bool
    own: bool


@dataclass(frozen=True, slots=True)
class ScaleOut:
    """The network of a setting: its family, the link measured in its place, one-way rates."""

    family: Family | None
    measured_as: str
    bytes_per_s: float
    port_bytes_per_s: float
    catalogued: bool


INSIDE = ScaleOut(None, "", math.inf, math.inf, catalogued=True)
"""One domain: nothing crosses a network."""


def resolve(setting: Setting) -> Communicator:
    """
    Check a setting and look up its GPU and links in the catalog.

    Raises:
        InputError: A value that no cluster could have, or a link that is unknown and has no rate.
    """
    check(setting)
    if setting.in_network_reduction and setting.domains > 1 and setting.scale_out_link is not None:
        check_adding(setting.scale_out_link)
    asked, gpu = setting.implementation, GPUS.get(setting.gpu)
    scale_up = _scale_up(setting, gpu)
    scale_out = _scale_out(setting) if setting.domains > 1 else _inside(setting)
    architecture = gpu.architecture if gpu else _architecture_behind(setting.scale_up_link)
    able = gpu.in_network_reduction if gpu else _adds_in_switches(architecture)
    vendor = gpu.vendor if gpu else architecture.vendor
    setting = _by_library(setting, vendor)
    return Communicator(
        setting=setting,
        architecture=architecture,
        vendor=vendor,
        kind=KINDS.get(scale_up.family, DomainKind.NVLINK),
        link_bytes_per_s=scale_up.bytes_per_s,
        gpus=int(setting.domain_gpus),
        domains=int(setting.domains),
        network_family=scale_out.family,
        network=scale_out.measured_as,
        nic_bytes_per_s=scale_out.bytes_per_s,
        port_bytes_per_s=scale_out.port_bytes_per_s,
        peer_to_peer=gpu is None or gpu.peer_to_peer,
        in_switch=able if setting.nvls is None else setting.nvls,
        usual_switching=setting.nvls is None or setting.nvls is able,
        catalogued=gpu is not None and scale_up.catalogued and scale_out.catalogued,
        own_link=scale_up.own,
        rate_given=setting.scale_up_bytes_per_s is not None,
        replaced="" if setting.implementation == asked else asked,
    )


def _by_library(setting: Setting, vendor: str) -> Setting:
    """The setting with the library in an engine's place where that has no such collective, or none across."""
    engine = setting.implementation
    if engine not in ENGINES or (setting.domains == 1 and engine_runs(engine, setting.collective)):
        return setting
    return replace(setting, implementation="rccl" if vendor == "AMD" else "nccl")


def family_of(link_id: str) -> Family | None:
    """Family of a link by its id; of one that the catalog lacks by the word its id begins with."""
    if link_id in LINKS:
        return LINKS[link_id].family
    families = {_stem(link.id): link.family for link in LINKS.values()}
    return (families | SPELLINGS).get(_stem(link_id))


def own_link(gpu_id: str, domain_gpus: int) -> str | None:
    """
    The link of a row that names none: the GPU's own, else its slot; None where the catalog lacks it.

    A GPU alone in its domain sends nothing over it, whatever it is.
    """
    gpu = GPUS.get(gpu_id)
    known = (gpu.scale_up_link or gpu.pcie_link) if gpu else None
    return known or (LONELY_LINK if domain_gpus == 1 else None)


def named_link(gpu_id: str, text: str) -> str:
    """The id of a row's link; of a family alone, as ``nvlink`` or ``xgmi``, the GPU's own link of it."""
    gpu = GPUS.get(gpu_id)
    if gpu is None or text in LINKS or _stem(text) != text.lower():
        return text
    own = (LINKS[link] for link in (gpu.scale_up_link, gpu.pcie_link) if link in LINKS)
    return next((link.id for link in own if link.family is family_of(text)), text)


def as_catalogued(gpu_id: str, link_id: str, bytes_per_s: float) -> bool:
    """Whether that is the rate, one way per GPU, at which the catalog has a GPU on a link."""
    return _same(bytes_per_s, catalog_bytes_per_s(gpu_id, link_id))


def catalog_bytes_per_s(gpu_id: str, link_id: str) -> float | None:
    """The rate, one way per GPU, at which the catalog has a GPU on a link; None where it has none."""
    return _catalog_rate(LINKS.get(link_id), GPUS.get(gpu_id))


def _stem(link_id: str) -> str:
    """The letters that an id begins with: ``nvlink`` of ``nvlink4``, ``ib`` of ``ib-ndr``."""
    letters = next((i for i, letter in enumerate(link_id) if not letter.isalpha()), len(link_id))
    return link_id[:letters].lower()


def _architecture_behind(link_id: str) -> Architecture:
    """The newest architecture whose GPUs have that scale-up link; unknown where none has."""
    architectures = [gpu.architecture for gpu in GPUS.values() if gpu.scale_up_link == link_id]
    return max(architectures, key=lambda item: item.year, default=Architecture.UNKNOWN)


def _adds_in_switches(architecture: Architecture) -> bool:
    """Whether GPUs of an architecture reach switches that reduce."""
    return any(gpu.in_network_reduction for gpu in GPUS.values() if gpu.architecture is architecture)


def _link_among(setting: Setting, gpu: Gpu | None) -> Link | None:
    """The link over which the GPUs talk: more than a bridged pair talk over their slots."""
    link = LINKS.get(setting.scale_up_link)
    bridged = gpu is not None and gpu.scale_up_topology is Topology.BRIDGE
    if gpu is None or not bridged or setting.domain_gpus <= PAIR or link is None:
        return link
    own = LINKS.get(gpu.scale_up_link or "")
    return LINKS.get(gpu.pcie_link or "", link) if own and own.family is link.family else link


def _scale_up(setting: Setting, gpu: Gpu | None) -> ScaleUp:
    """The link by its id and rate; of one that the catalog lacks the rate must be given."""
    given = _rate("scale_up_bytes_per_s", setting.scale_up_bytes_per_s)
    link = _link_among(setting, gpu) if given is None else LINKS.get(setting.scale_up_link)
    kin = LINKS.get(gpu.scale_up_link or "") if gpu else None
    family = (link.family if link else family_of(setting.scale_up_link)) or (
        kin.family if kin else Family.NVLINK
    )
    rate = _catalog_rate(link, gpu) if given is None else given
    if rate is None and link is None:
        rate = _catalog_rate(_kin_of(setting, gpu), gpu)
    if rate is None:
        message = _unknown_link("scale_up_link", setting.scale_up_link, "scale_up_bytes_per_s", scale_up=True)
        raise InputError(message)
    return ScaleUp(
        family,
        rate,
        catalogued=link is not None,
        own=gpu is not None and link is not None and _has(gpu, link),
    )


def _kin_of(setting: Setting, gpu: Gpu | None) -> Link | None:
    """
    The catalog's link that stands for one it lacks and whose rate is not given; None where none can.

    A variant (``nvlink5-rack``) is its base, an Infinity Fabric that of its GPU or the newest; a GPU alone
    in its domain sends nothing over it.
    """
    own = LINKS.get(gpu.scale_up_link or gpu.pcie_link or "") if gpu else None
    if setting.domain_gpus == 1 and setting.domains > 1:
        return own or LINKS[LONELY_LINK]
    bases = [name for name in LINKS if setting.scale_up_link.startswith(f"{name}-")]
    if bases:
        return LINKS[max(bases, key=len)]
    fabrics = [link for link in LINKS.values() if link.family is Family.INFINITY_FABRIC]
    if family_of(setting.scale_up_link) is not Family.INFINITY_FABRIC:
        return None
    return own if own in fabrics else fabrics[-1]


def _catalog_rate(link: Link | None, gpu: Gpu | None) -> float | None:
    """A GPU never outruns its own links: parts cut for export or with a bridge state their own rate."""
    rate = link.one_way_bytes_per_s if link and link.scale_up else None
    if link is None or rate is None or gpu is None or gpu.scale_up is None:
        return rate
    if gpu.scale_up_link == link.id and link.rate is not None and link.rate.scope in (Scope.PORT, Scope.LINK):
        return gpu.scale_up.bytes_per_s
    own = LINKS.get(gpu.scale_up_link or "")
    return min(rate, gpu.scale_up.bytes_per_s) if own and own.family is link.family else rate


def _has(gpu: Gpu, link: Link) -> bool:
    """Whether a link, or one of its family at the same rate, is a GPU's scale-up link or its slot."""
    own = [LINKS[name] for name in (gpu.scale_up_link, gpu.pcie_link) if name in LINKS]
    return any(
        link.id == kin.id
        or (link.family is kin.family and _same(kin.one_way_bytes_per_s, link.one_way_bytes_per_s))
        for kin in own
    )


def _same(rate: float | None, other: float | None) -> bool:
    """Whether two rates are one and the same; unknown ones never are."""
    return rate is not None and other is not None and abs(rate / other - 1) <= AS_CATALOGUED


def _inside(setting: Setting) -> ScaleOut:
    """Nothing crosses a network; a rate that is given is checked all the same."""
    _rate("scale_out_bytes_per_s_per_gpu", setting.scale_out_bytes_per_s_per_gpu)
    return INSIDE


def _scale_out(setting: Setting) -> ScaleOut:
    rate = _rate("scale_out_bytes_per_s_per_gpu", setting.scale_out_bytes_per_s_per_gpu)
    if setting.scale_out_link is None:
        if rate is None:
            message = "scale_out_link: given, or scale_out_bytes_per_s_per_gpu, where domains is more than 1"
            raise InputError(message)
        return ScaleOut(None, "", rate, rate, catalogued=False)
    link = LINKS.get(setting.scale_out_link)
    if link is not None and not link.scale_out:
        link = None
    port = link.one_way_bytes_per_s if link else None
    if port is None and rate is None:
        message = _unknown_link("scale_out_link", setting.scale_out_link, "scale_out_bytes_per_s_per_gpu")
        raise InputError(message)
    family = family_of(setting.scale_out_link)
    measured_as = (link.measured_as or link.id) if link else setting.scale_out_link
    per_gpu = rate or port or 0.0
    return ScaleOut(family, measured_as, per_gpu, port or per_gpu, catalogued=link is not None)


def _unknown_link(name: str, link_id: str, rate: str, *, scale_up: bool = False) -> str:
    kinds = [link for link in LINKS.values() if (link.scale_up if scale_up else link.scale_out)]
    known = sorted(link.id for link in kinds if link.one_way_bytes_per_s is not None)
    return f"{name}: {link_id!r} is unknown; give {rate}, or {alternatives(link_id, known)}"


def _rate(name: str, value: float | None) -> float | None:
    return None if value is None else number(name, value, least=SLOWEST_BYTES_PER_S, most=FASTEST_BYTES_PER_S)
