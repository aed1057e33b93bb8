"""GPUs without switches: of the links of each, those that lead to GPUs taking part."""

from core.checks import InputError, choice
from core.collectives.cost_model.communicator import family_of
from core.hardware import Family

COLUMN = "scale_up_topology"
SWITCH, MESH = "switch", "mesh"
NVLINK_MESH_GPUS = 4
"""HGX A100 4-GPU, four GH200, HGX H100 4-GPU: every GPU of an NVLink mesh has links to three others."""


def reached_bytes_per_s(
    topology: str, link: str, gpus: int, peers: int, bytes_per_s: float | None
) -> float | None:
    """
    Of a GPU's scale-up rate, one way, the part that leads to GPUs taking part.

    Args:
        topology: ``switch`` or ``mesh``, as a row spells it.
        link: Id of the scale-up link.
        gpus: Of a domain that take part.
        peers: To which each of them sends.
        bytes_per_s: Of all links of a GPU; None where nothing tells.

    Raises:
        InputError: GPUs that are not joined so.
    """
    family = family_of(link)
    kind = choice(COLUMN, topology.lower(), (SWITCH, MESH))
    if family is Family.PCIE or (family is Family.INFINITY_FABRIC and kind == SWITCH):
        message = f"{COLUMN}: {kind} is of NVLink, not of {link}"
        raise InputError(message)
    if kind == SWITCH or family is Family.INFINITY_FABRIC or bytes_per_s is None:
        return bytes_per_s
    if gpus > NVLINK_MESH_GPUS:
        message = f"{COLUMN}: a mesh of NVLink joins {NVLINK_MESH_GPUS} GPUs, not {gpus}"
        raise InputError(message)
    return bytes_per_s * peers / (NVLINK_MESH_GPUS - 1)
