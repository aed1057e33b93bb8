"""How much longer compute takes on another GPU, from the roofline of both."""

from dataclasses import dataclass

import numpy as np

from core.hardware import Gpu


@dataclass(frozen=True, slots=True)
class ComputeFactor:
    """
    Time of compute there over time of compute here.

    Attributes:
        factor: The estimate.
        low, high: Its bounds.
        why: What it rests on.
    """

    factor: float
    low: float
    high: float
    why: str


SAME = ComputeFactor(1.0, 1.0, 1.0, "the same GPU")


def stated(factor: float) -> ComputeFactor:
    """A factor that the user states."""
    return ComputeFactor(factor, factor, factor, "as stated")


def from_roofline(here: Gpu, there: Gpu) -> ComputeFactor:
    """
    The ratio of peaks bounds kernels that compute, that of memory bandwidths those that copy.

    A trace does not tell which kernels are which: the estimate is the geometric mean of both.
    """
    if here.id == there.id:
        return SAME
    memory = here.memory_rate.bytes_per_s / there.memory_rate.bytes_per_s
    if not here.bf16_flop_per_s or not there.bf16_flop_per_s:
        return ComputeFactor(memory, memory, memory, "memory bandwidths of the two GPUs; a peak is not known")
    peaks = here.bf16_flop_per_s / there.bf16_flop_per_s
    why = (
        f"between {min(peaks, memory):.3g} and {max(peaks, memory):.3g}: ratios of BF16 peak ({peaks:.3g}) "
        f"and of memory bandwidth ({memory:.3g}) of {here.name} and {there.name}"
    )
    return ComputeFactor(float(np.sqrt(peaks * memory)), min(peaks, memory), max(peaks, memory), why)
