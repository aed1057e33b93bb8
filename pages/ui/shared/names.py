"""Names of catalog entries beside their ids; what the catalog does not know keeps its id."""

from core.catalog import GPUS, LINKS
from core.hardware import Topology

JOINED = {
    "switch": "through switches",
    "full mesh": "in a full mesh",
    "cube mesh": "in a cube mesh",
    "bridge": "in bridged pairs",
    "PCIe switch": "behind PCIe switches",
    "PCIe host": "over PCIe through the host",
}


def link(key: str | None) -> str:
    """Name of a link or network, such as *InfiniBand NDR 4x*; empty for none."""
    return LINKS[key].name if key in LINKS else key or ""


def gpu(key: str) -> str:
    """Name of a GPU, such as *H100 SXM5 80GB*."""
    return GPUS[key].name if key in GPUS else key


def with_id(name: str, key: str) -> str:
    """A name with the id that the shell takes, once where they are the same."""
    return name if name == key else f"{name} ({key})"


def joined(topology: Topology) -> str:
    """How the GPUs of a scale-up domain are connected, to follow a number of GPUs."""
    return JOINED.get(str(topology), f"in a {topology}")
