"""The GPUs of a system joined otherwise: over PCIe alone, by bridges, or by the links they have."""

from dataclasses import dataclass, replace

from core.calculators.layouts.pcie import PCIE_5, on_pcie
from core.catalog import link_name
from core.catalog.links import LINKS
from core.checks import InputError
from core.hardware import Family, System, Topology
from core.systems import CustomSystem, DomainSpec, custom_system

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Joined:
    """
    One way to join the GPUs of a system's domains; the network between domains stays.

    Attributes:
        name: The kind of link in words.
        system: The system so joined.
        current: Whether it is the system as it stands.
    """

    name: str
    system: System
    current: bool

    @property
    def linked(self) -> bool:
        """Whether GPUs have a link beside PCIe."""
        return not self.system.scale_up.topology.pcie

    @property
    def pairs(self) -> bool:
        """Whether that link joins two GPUs each."""
        return self.system.scale_up.topology is Topology.BRIDGE


def joined(system: System) -> tuple[Joined, ...]:
    """The system as it stands, then the same GPUs over PCIe alone, and over the link that they have."""
    options = [Joined(_name(system), system, current=True)]
    if not system.scale_up.topology.pcie:
        options.append(_option(system, on_pcie(system, slot(system))))
    elif (own := _own_link(system)) is not None:
        options.append(_option(system, own))
    return tuple(options)


def slot(system: System) -> str:
    """Id of the PCIe link of the system's GPUs: to the CPU, else of the card, else PCIe 5."""
    for name in (system.host_link, system.gpu.pcie_link):
        link = LINKS.get(name or "")
        if link is not None and link.family is Family.PCIE:
            return link.id
    return PCIE_5


def _option(system: System, other: System) -> Joined:
    """Another way to join them, with the network of the system."""
    fabrics = (*other.fabrics[:1], *system.fabrics[1:])
    cluster = replace(
        other,
        domains=system.domains,
        network=system.network,
        nics_per_domain=system.nics_per_domain,
        fabrics=fabrics,
    )
    return Joined(_name(cluster), cluster, current=False)


def _own_link(system: System) -> System | None:
    """The GPUs over the link that they have beside PCIe; None where they have none."""
    gpu = system.gpu
    if gpu.scale_up is None or gpu.scale_up_link is None or system.domain_gpus < _PAIR:
        return None
    domain = DomainSpec(system.domain_gpus, link=gpu.scale_up_link, host_link=slot(system))
    try:
        return custom_system(CustomSystem(gpu, domain, name=f"{system.name} with {gpu.scale_up_link}"))
    except InputError:
        return None


def _name(system: System) -> str:
    """The kind of link in words, as ``NVLink 4 switches``."""
    fabric = system.bridge or system.scale_up
    link = link_name(fabric.link)
    kinds = {
        Topology.SWITCH: f"{link} through switches",
        Topology.FULL_MESH: f"{link}, full mesh",
        Topology.CUBE_MESH: f"{link}, cube mesh",
        Topology.BRIDGE: f"{link} in bridged pairs",
    }
    return kinds.get(system.scale_up.topology, f"{link} alone")
