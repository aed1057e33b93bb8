"""Collectives: one function per algorithm, each returning a Cost."""

from core.collectives.busbw import (
    COLLECTIVES,
    MEASURED_COLLECTIVES,
    algbw_bytes_per_s,
    busbw_bytes_per_s,
    busbw_factor,
)
from core.collectives.cost import Cost
from core.collectives.registry import ALGORITHMS, Algorithm

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
