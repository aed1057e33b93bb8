"""NVLink bridges of cards, as a matrix of copies shows them: the pairs that are faster than a slot."""

from collections import Counter
from collections.abc import Sequence

from core.catalog import GPUS, LINKS
from core.hardware import Gpu, Topology
from core.measurement import Matrix, Run
from core.measurement.bus_factor import bus_factor
from core.units import MIB

_ABOVE = 1.03
"""Above this share of a slot's rate a copy has not run over the slot alone."""
_LARGE_BYTES = 64 * MIB
"""From this size a bridge would show in a collective's rate."""


def bridged_pairs(matrix: Matrix, slot_bytes_per_s: float) -> frozenset[tuple[int, int]]:
    """
    Places (row, column) of the pairs that copy faster than a slot carries.

    Empty where a GPU has two such partners: a bridge joins pairs, so another link joins these.

    Args:
        matrix: Copies between GPUs.
        slot_bytes_per_s: Unidirectional rate of a GPU's PCIe slot.
    """
    most = _ABOVE * slot_bytes_per_s * matrix.directions
    pairs = {place for place, rate in peer_rates(matrix).items() if rate > most}
    partners = Counter(row for row, _ in pairs)
    return frozenset(pairs) if pairs and max(partners.values()) == 1 else frozenset()


def peer_rates(matrix: Matrix) -> dict[tuple[int, int], float]:
    """Rates of the copies between different GPUs by their places; none of copies through host memory."""
    if "P2P=Disabled" in matrix.name or "host" in matrix.name:
        return {}
    return pair_rates(matrix)


def pair_rates(matrix: Matrix) -> dict[tuple[int, int], float]:
    """Rates of the copies between different GPUs by their places, directly or not; none of other tables."""
    if matrix.kind != "bandwidth" or len(matrix.rows) < 2 or len(matrix.columns) < 2:  # noqa: PLR2004 (a pair)
        return {}
    return {
        (i, j): cell
        for i, row in enumerate(matrix.values)
        for j, cell in enumerate(row)
        if isinstance(cell, float) and matrix.rows[i] != matrix.columns[j]
    }


def slot_rate(gpu: str | None) -> float | None:
    """Unidirectional bytes/s of a GPU's PCIe slot by its catalog id; None where unknown."""
    link = LINKS.get((GPUS[gpu].pcie_link if gpu in GPUS else None) or "")
    return None if link is None or link.rate is None else link.rate.bytes_per_s


def _per_direction(matrix: Matrix, rate: float) -> float:
    return rate / matrix.directions


def shows_bridges(runs: Sequence[Run], gpu: str | None) -> bool:
    """Whether copies, topologies or links of these runs show NVLink between cards in this GPU's slot."""
    slot = slot_rate(gpu)
    matrices = [matrix for run in runs for matrix in run.matrices]
    if slot and any(bridged_pairs(matrix, slot) for matrix in matrices):
        return True
    if is_above_slots(runs, gpu):
        return True
    paths = [item.value.split()[-1] for run in runs for item in run.observations if item.kind == "path"]
    cells = [cell for item in matrices if item.kind == "topology" for row in item.values for cell in row]
    stated = any(item.kind == "bridge" for run in runs for item in run.observations)
    up = stated or any(
        cell for item in matrices if item.kind == "links" for row in item.values for cell in row
    )
    return up or any(str(path).startswith("NV") for path in (*paths, *cells))


def lacks_bridges(runs: Sequence[Run], gpu: Gpu) -> bool:
    """Whether copies between cards that may have bridges run over their slots, and nothing shows a bridge."""
    if not gpu.bridge_optional:
        return False
    if gpu.scale_up_topology is Topology.FULL_MESH:
        return _is_mesh_over_slots(runs, gpu)
    copies = any(peer_rates(matrix) for run in runs for matrix in run.matrices)
    return (copies or _is_over_slots(runs, gpu.id)) and not shows_bridges(runs, gpu.id)


def _is_mesh_over_slots(runs: Sequence[Run], gpu: Gpu) -> bool:
    """Whether such cards are more than one bridge joins, or exchange no more than their slots carry."""
    most = 1 + (gpu.mesh_peers or 0)
    if any((run.ranks_or_guess or 0) > most for run in runs):
        return True
    slot = slot_rate(gpu.id) or float("inf")
    matrices = [matrix for run in runs for matrix in run.matrices]
    rates = [_per_direction(matrix, rate) for matrix in matrices for rate in peer_rates(matrix).values()]
    stated = any(item.kind == "bridge" for run in runs for item in run.observations)
    rates += [] if stated else _collective_rates(runs, most)
    return bool(rates) and max(rates) <= _ABOVE * slot


def is_above_slots(runs: Sequence[Run], gpu: str | None) -> bool:
    """Whether a collective of two cards, measured at large sizes, is faster than their slots."""
    slot = slot_rate(gpu)
    return slot is not None and max(_collective_rates(runs), default=0.0) > _ABOVE * slot


def _is_over_slots(runs: Sequence[Run], gpu: str) -> bool:
    """Whether a collective of two cards, measured at large sizes, is no faster than their slots."""
    slot, rates = slot_rate(gpu), _collective_rates(runs)
    return slot is not None and bool(rates) and max(rates) <= _ABOVE * slot


def _collective_rates(runs: Sequence[Run], most: int = 2) -> list[float]:
    """Bus bandwidths of collectives of at most so many cards at large sizes."""
    return [
        factor * sample.size_bytes / sample.time_s
        for run in runs
        if (ranks := run.ranks_or_guess) is not None and 1 < ranks <= most
        for sample in run.samples
        if sample.size_bytes >= _LARGE_BYTES and sample.time_s > 0
        if (factor := bus_factor(sample.operation or run.collective_or_guess or "", ranks)) is not None
    ]
