"""A system as the topology in its own log shows it: GPUs joined directly, not through switches."""

from collections.abc import Sequence
from dataclasses import replace

from core.hardware import System, Topology
from core.measurement import Matrix, Run
from core.verdict.evidence import whole

_FEW, _MOST = 3, 8


def as_wired(system: System, runs: Sequence[Run]) -> System:
    """
    The system with its GPUs joined directly where ``topo -m`` of the same file shows that; else as it is.

    So they are where each pair has as many links, and those to all peers are all links of a GPU.
    """
    matrices = (matrix for run in runs for matrix in run.matrices if matrix.name.startswith("topo -m"))
    links = system.gpu.scale_up_links
    if system.scale_up.topology is not Topology.SWITCH or not links or system.gpu.scale_up is None:
        return system
    for matrix in matrices:
        gpus, each = direct_links(matrix)
        if each * (gpus - 1) == links:
            rate = system.gpu.scale_up.bytes_per_s
            fabric = replace(
                system.scale_up, topology=Topology.FULL_MESH, in_network_reduction=False, bytes_per_s=rate
            )
            nics = -(-system.nics_per_domain * gpus // system.domain_gpus)
            return replace(
                system,
                fabrics=(fabric, *system.fabrics[1:]),
                domain_gpus=gpus,
                nics_per_domain=nics,
                pair_bytes_per_s=rate * each / links,
            )
    return system


def direct_links(matrix: Matrix) -> tuple[int, int]:
    """GPUs of a matrix and the links of each pair; no links where pairs differ or are not on NVLink."""
    gpus = [index for index, name in enumerate(matrix.rows) if name.startswith("GPU")]
    columns = {name: index for index, name in enumerate(matrix.columns)}
    cells = {
        str(matrix.values[row][columns[matrix.rows[column]]])
        for row in gpus
        for column in gpus
        if row != column
        and matrix.rows[column] in columns
        and columns[matrix.rows[column]] < len(matrix.values[row])
    }
    cell = cells.pop() if len(cells) == 1 else ""
    each = whole(cell[2:]) if cell.startswith("NV") else None
    return len(gpus), each if each is not None and _FEW <= len(gpus) <= _MOST else 0
