"""How the GPUs of one scale-up domain are joined."""

from enum import StrEnum


class Topology(StrEnum):
    """
    Scale-up kind of a system: it decides the rate among some of the GPUs of a domain.

    ``SWITCH`` is NVLink (or its like) through switches, ``FULL_MESH`` links of each GPU to each other,
    ``CUBE_MESH`` links to some, ``BRIDGE`` pairs on a bridge with PCIe between the pairs,
    ``PCIE_SWITCH`` PCIe through switches, ``PCIE_HOST`` PCIe through the CPUs.
    """

    SWITCH = "switch"
    FULL_MESH = "full mesh"
    CUBE_MESH = "cube mesh"
    BRIDGE = "bridge"
    PCIE_SWITCH = "PCIe switch"
    PCIE_HOST = "PCIe host"
    SINGLE = "single GPU"

    @classmethod
    def _missing_(cls, value: object) -> "Topology | None":
        """The kind by another name, or as files named PCIe before its switches were told apart."""
        names = {
            "mesh": cls.FULL_MESH,
            "hybrid cube mesh": cls.CUBE_MESH,
            "pairs": cls.BRIDGE,
            "shared PCIe": cls.PCIE_HOST,
        }
        return names.get(value) if isinstance(value, str) else None

    @property
    def pcie(self) -> bool:
        """Whether all traffic between GPUs is PCIe."""
        return self in (Topology.PCIE_SWITCH, Topology.PCIE_HOST)
