"""The same GPUs on PCIe alone: no NVLink or other links between them, no in-network reduction."""

from core import catalog
from core.hardware import System, Topology
from core.systems import CustomSystem, DomainSpec, custom_system

PCIE_5 = "pcie5-x16"


def on_pcie(system: System, link: str = PCIE_5) -> System:
    """
    One domain of the system with its GPUs on a PCIe link instead of their scale-up links.

    Raises:
        InputError: An unknown link.
    """
    rate = catalog.link(link).rate
    domain = DomainSpec(
        system.domain_gpus,
        topology=Topology.PCIE_HOST,
        link=link,
        bytes_per_s=rate.bytes_per_s if rate else None,
        in_network_reduction=False,
    )
    return custom_system(CustomSystem(system.gpu, domain, name=f"{system.name} on PCIe alone"))
