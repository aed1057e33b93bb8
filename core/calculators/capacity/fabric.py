"""Aggregate and bisection bandwidth of a domain, each under its own name."""

from dataclasses import dataclass
from itertools import combinations

from core import checks
from core.hardware import System, Topology

LARGEST_CUT = 16
"""GPUs of a cube mesh whose cuts are counted one by one."""


@dataclass(frozen=True, slots=True)
class FabricFigures:
    """
    Rates of a whole domain, bytes/s.

    Attributes:
        aggregate_both_ways_bytes_per_s: n x both directions of a GPU: printed for NVL72 (130 TB/s).
        aggregate_one_way_bytes_per_s: Half of it: what all GPUs together can send.
        bisection_both_ways_bytes_per_s: floor(n/2) x both directions: printed for DGX H100 (3.6 TB/s).
        bisection_one_way_bytes_per_s: Half of it: what one half can send to the other.
        hbm_bytes_per_s: Memory bandwidth of all GPUs together.
    """

    gpus: int
    aggregate_both_ways_bytes_per_s: float
    aggregate_one_way_bytes_per_s: float
    bisection_both_ways_bytes_per_s: float
    bisection_one_way_bytes_per_s: float
    hbm_bytes_per_s: float


def fabric_figures(
    gpus: int, one_way_bytes_per_s: float, hbm_bytes_per_s: float, *, across_bytes_per_s: float | None = None
) -> FabricFigures:
    """
    Both conventions for a domain of ``gpus`` whose GPUs send ``one_way_bytes_per_s`` each.

    ``across_bytes_per_s`` is what one half sends the other where no switch joins them; None: floor(n/2) GPUs.
    """
    n = checks.count("gpus", gpus)
    rate = checks.number("one_way_bytes_per_s", one_way_bytes_per_s, least=0)
    memory = checks.number("hbm_bytes_per_s", hbm_bytes_per_s, above=0)
    cut = n // 2 * rate if across_bytes_per_s is None else across_bytes_per_s
    return FabricFigures(n, 2 * n * rate, n * rate, 2 * cut, cut, n * memory)


def across_halves(system: System, gpus: int, one_way_bytes_per_s: float) -> float | None:
    """
    Bytes/s that one half of ``gpus`` sends the other over direct links; None where no mesh joins them.

    A GPU of a mesh reaches the other half only over the links to it: (n/2)^2 pairs, or of a cube mesh
    the links of the worst cut into halves of its first GPUs.
    """
    if gpus > system.domain_gpus:
        return None
    half = gpus // 2
    if system.scale_up.topology is Topology.FULL_MESH:
        return half * (gpus - half) * one_way_bytes_per_s / (system.domain_gpus - 1)
    wiring = system.wiring
    if system.scale_up.topology is not Topology.CUBE_MESH or not gpus <= len(wiring) <= LARGEST_CUT:
        return None
    cuts = (
        sum(wiring[i][j] for i in part for j in range(gpus) if j not in part)
        for part in combinations(range(gpus), half)
    )
    return min(cuts) * one_way_bytes_per_s / sum(wiring[0])


@dataclass(frozen=True, slots=True)
class Ports:
    """Switch ports that face GPUs: in all, and on each switch chip."""

    total: int
    per_chip: float


def ports(gpus: int, links_per_gpu: int, chips: int) -> Ports:
    """Ports that ``gpus`` GPUs need on ``chips`` switch chips."""
    total = checks.count("gpus", gpus) * checks.count("links_per_gpu", links_per_gpu)
    return Ports(total, total / checks.count("chips", chips))
