"""Collectives: one function per algorithm, each returning a Cost."""

from core.collectives.formulas.busbw import (
    COLLECTIVES,
    MEASURED_COLLECTIVES,
    algbw_bytes_per_s,
    busbw_bytes_per_s,
    busbw_factor,
)
from core.collectives.formulas.cost import Cost
from core.collectives.formulas.registry import ALGORITHMS, Algorithm

__all__ = [
    "ALGORITHMS",
    "COLLECTIVES",
    "MEASURED_COLLECTIVES",
    "Algorithm",
    "Cost",
    "algbw_bytes_per_s",
    "busbw_bytes_per_s",
    "busbw_factor",
]
