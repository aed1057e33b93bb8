"""The one calibration constant: the share of the dense peak that large matrix products reach."""

from dataclasses import dataclass

from core.catalog import precision as format_of
from core.hardware import Gpu
from core.parallel.peaks import peak


@dataclass(frozen=True, slots=True)
class Efficiency:
    """The usual share of the peak, and the span over frameworks that published tables show."""

    usual: float
    low: float
    high: float
    fitted: bool = True


UNKNOWN = Efficiency(0.65, 0.45, 0.8, fitted=False)
FITTED = {
    ("Ampere", "bf16"): Efficiency(0.75, 0.46, 0.92),
    ("Hopper", "bf16"): Efficiency(0.75, 0.57, 0.86),
    ("Hopper", "fp8"): Efficiency(0.78, 0.45, 0.85),
    ("Blackwell", "fp8"): Efficiency(0.64, 0.6, 0.71),
    ("Blackwell", "nvfp4"): Efficiency(0.6, 0.55, 0.64),
}
"""
By architecture and format: medians and extremes of the constants fitted to the tables of Megatron-LM,
Megatron-Bridge, dgxc-benchmarking, NeMo, llm-foundry, torchtitan and BigScience.
"""

_SAME = {"fp16": "bf16", "mxfp8": "fp8"}


def efficiency(gpu: Gpu, precision: str) -> Efficiency:
    """
    The constant of a GPU and a format; a GPU that no table covers takes a wide guess.

    A format that the GPU does not compute in counts as the one it is computed in.
    """
    family = gpu.architecture.label
    computed = peak(gpu, format_of(precision))
    name = computed.format if computed.note else precision
    return FITTED.get((family, _SAME.get(name, name)), UNKNOWN)
