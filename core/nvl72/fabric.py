"""Aggregate and bisection of a domain, each under its own name (SPEC F11)."""

from dataclasses import dataclass

from core import checks


@dataclass(frozen=True, slots=True)
class FabricFigures:
    """
    Rates of a whole domain, bytes/s.

    Attributes:
        aggregate_both_ways: n x both directions of a GPU: what vendors print for NVL72 (130 TB/s).
        aggregate_one_way: Half of it: what all GPUs together can send.
        bisection_both_ways: floor(n/2) x both directions: what vendors print for DGX H100 (3.6 TB/s).
        bisection_one_way: Half of it: what one half can send to the other.
        hbm: Memory of all GPUs together.
    """

    gpus: int
    aggregate_both_ways_bytes_per_s: float
    aggregate_one_way_bytes_per_s: float
    bisection_both_ways_bytes_per_s: float
    bisection_one_way_bytes_per_s: float
    hbm_bytes_per_s: float


def fabric_figures(gpus: int, one_way_bytes_per_s: float, hbm_bytes_per_s: float) -> FabricFigures:
    """Both conventions for a domain of ``gpus`` whose GPUs send ``one_way_bytes_per_s`` each."""
    n = checks.count("gpus", gpus)
    rate = checks.number("one_way_bytes_per_s", one_way_bytes_per_s, least=0)
    memory = checks.number("hbm_bytes_per_s", hbm_bytes_per_s, above=0)
    half = n // 2
    return FabricFigures(n, 2 * n * rate, n * rate, 2 * half * rate, half * rate, n * memory)


def ports(gpus: int, links_per_gpu: int, chips: int) -> tuple[int, float]:
    """Switch ports that GPUs need in all, and on each of ``chips`` switch chips."""
    total = checks.count("gpus", gpus) * checks.count("links_per_gpu", links_per_gpu)
    return total, total / checks.count("chips", chips)
