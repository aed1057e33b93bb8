"""What the constants of a routed MLP mean."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoutedKernel:
    """
    What the routed MLPs of one library reach in one format on one generation of GPU.

    Attributes:
        start_s: A layer before its first tile: routing, sorting, launches.
        expert_s: For each expert of the layer.
        wave_s: A wave of tiles before and after its products.
        step_s: 64 values of k in one tile, latency alone.
        share: Of the dense peak that short calls reach.
        throttle, throttle_s: As of a GEMM.
        memory_share: Of the memory rate.
        feed_bytes_per_s: What one SM loads.
        handover: How sharply arithmetic, loads and memory hand over.
        passes: Over the tokens of this GPU's experts: gathered, scaled, activated, summed.
        cache_rate, cache_reach: Of the L2 cache: its rate over the memory's, and how much of it serves.
        handled: Passes over every routed copy of a token, those of experts elsewhere among them.
        elsewhere: Share of the arithmetic for experts elsewhere that is done here too (Triton's grouped kernels).
        by_mean: Whether tiles have as many rows as an expert has tokens on average, up to 256, whatever that
            costs; else the quickest tile is taken.
    """

    start_s: float
    expert_s: float
    wave_s: float
    step_s: float
    share: float
    throttle: float
    throttle_s: float
    memory_share: float
    feed_bytes_per_s: float
    handover: float
    passes: float
    cache_rate: float
    cache_reach: float
    handled: float = 0.0
    elsewhere: float = 0.0
    by_mean: bool = False


Libraries = Mapping[str, RoutedKernel]
"""Kernels by the engine that calls them and their library, as ``sglang:triton``."""
