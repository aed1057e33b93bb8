"""GPUs without switches between them: of the links of each, those that lead to GPUs taking part."""

from dataclasses import dataclass

from core.catalog.gpus import GPUS
from core.catalog.wiring import WIRINGS
from core.checks import InputError, choice
from core.collectives.cost_model.communicator import PAIR, as_catalogued, family_of
from core.hardware import Family, Topology
from core.systems.cube_mesh import Wiring, ring_links

COLUMN = "scale_up_topology"
WORDS = ("switch", "mesh", "full mesh", "cube mesh", "hybrid cube mesh", "bridge", "pairs")
"""As a row, or a system file, spells how GPUs of a domain are joined."""
NVLINK_MESH_GPUS = 4
"""HGX A100 4-GPU, four GH200, HGX H100 4-GPU: every GPU of an NVLink mesh has links to three others."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The link over which GPUs taking part reach each other, and its rate where that is not the catalog's."""

    link: str
    bytes_per_s: float | None


def reached(
    topology: str | None, gpu: str, link: str, gpus: int, peers: int, bytes_per_s: float | None
) -> Reached:
    """
    Of a GPU's scale-up links those that lead to GPUs taking part, unidirectional.

    Args:
        topology: One of ``WORDS``, as a row spells it; None where it does not say.
        gpu: Catalog id.
        link: Id of the scale-up link.
        gpus: Of a domain that take part.
        peers: To which each of them sends.
        bytes_per_s: Of all links of a GPU; None where nothing tells.

    Raises:
        InputError: GPUs that are not joined so.
    """
    if topology is None:
        return _as_given(gpu, link, bytes_per_s)
    kind = Topology(choice(COLUMN, topology.lower(), WORDS))
    family = family_of(link)
    if family is Family.PCIE or (family is Family.INFINITY_FABRIC and kind is not Topology.FULL_MESH):
        message = f"{COLUMN}: {kind} is of NVLink, not of {link}"
        raise InputError(message)
    if kind is Topology.SWITCH or family is Family.INFINITY_FABRIC or bytes_per_s is None or peers == 0:
        return _as_given(gpu, link, bytes_per_s)
    if kind is Topology.FULL_MESH:
        return _as_given(gpu, link, bytes_per_s * _mesh_share(gpus, peers))
    share = _cube_share(gpu, gpus) if kind is Topology.CUBE_MESH else float(gpus <= PAIR)
    if share == 0:
        return Reached(_slot(gpu, kind, gpus), None)
    return (
        Reached(link, bytes_per_s * share)
        if kind is Topology.CUBE_MESH
        else _as_given(gpu, link, bytes_per_s)
    )


def _as_given(gpu: str, link: str, bytes_per_s: float | None) -> Reached:
    """A link at a rate, which is left out where it is the catalog's."""
    usual = bytes_per_s is not None and as_catalogued(gpu, link, bytes_per_s)
    return Reached(link, None if usual else bytes_per_s)


def _mesh_share(gpus: int, peers: int) -> float:
    if gpus > NVLINK_MESH_GPUS:
        message = f"{COLUMN}: a mesh of NVLink joins {NVLINK_MESH_GPUS} GPUs, not {gpus}"
        raise InputError(message)
    return peers / (NVLINK_MESH_GPUS - 1)


def _cube_share(gpu: str, gpus: int) -> float:
    """Of a GPU's links those to its best neighbour, of the best placed rings, or of all eight GPUs."""
    wiring = _wiring(gpu)
    if gpus > len(wiring):
        message = f"{COLUMN}: a cube mesh joins {len(wiring)} GPUs, not {gpus}"
        raise InputError(message)
    if gpus == len(wiring):
        return 1.0
    links = max(wiring[0]) if gpus == PAIR else ring_links(wiring, gpus)
    return links / sum(wiring[0])


def _wiring(gpu: str) -> Wiring:
    """That of the DGX-1 with P100, whose GPUs have four links; of its successor for GPUs with more."""
    return WIRINGS["dgx-1-p100" if gpu.startswith("p100") else "dgx-1-v100"]


def _slot(gpu: str, kind: str, gpus: int) -> str:
    """The slot over which GPUs talk that no link joins."""
    known = GPUS.get(gpu)
    if known is None or known.pcie_link is None:
        message = f"{COLUMN}: {gpus} GPUs on a {kind} talk over PCIe, and no slot of {gpu} is known"
        raise InputError(message)
    return known.pcie_link
