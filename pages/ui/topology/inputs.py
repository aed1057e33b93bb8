"""Inputs of the page Topology: what the matrix does not say."""

from dataclasses import dataclass

from core.catalog import GPUS
from core.systems import NETWORKS
from pages.ui.shared import bound, fields, names

FROM_LOG, NO_NETWORK, OWN_SLOT = "from the log", "none", "the GPU's own"
SLOTS = (OWN_SLOT, "pcie3-x16", "pcie4-x16", "pcie5-x16", "pcie6-x16")


@dataclass(frozen=True, slots=True)
class Inputs:
    """
    GPU, network and slots of the system.

    Attributes:
        gpu: Catalog id; None: as the log names it.
        network: Catalog id of the NICs' link; None without a network.
        nics: NICs of the system; None: those behind a GPU's own PCIe switch.
        slot: Catalog id of the PCIe slots; None: the GPU's own.
    """

    gpu: str | None
    network: str | None
    nics: int | None
    slot: str | None


def choose() -> Inputs:
    """The widgets of GPU, slots and network."""
    gpu = bound.choice(
        "GPU",
        "topo_gpu",
        [FROM_LOG, *GPUS],
        names=names.catalog(),
        help="`nvidia-smi topo -m` does not print the GPU's name.",
    )
    slot = bound.choice("PCIe slots", "topo_slot", SLOTS, names=names.catalog())
    network = bound.choice(
        "Network of the NICs", "topo_network", [NO_NETWORK, *NETWORKS], names=names.catalog()
    )
    nics = fields.count("NICs used", "topo_nics", help="Empty: those behind a GPU's own PCIe switch.")
    return Inputs(
        gpu=None if gpu == FROM_LOG else gpu,
        network=None if network == NO_NETWORK else network,
        nics=nics,
        slot=None if slot == OWN_SLOT else slot,
    )
