"""The one calibration constant: the share of the dense peak that large matrix products reach."""

from core.hardware import Gpu

DEFAULT = 0.6
FITTED = {
    ("Ampere", "bf16"): 0.6,
    ("Hopper", "bf16"): 0.65,
    ("Hopper", "fp8"): 0.55,
}
"""By architecture and format, fitted on published training tables."""

EXPERT = 0.7
"""Products of routed experts against those of dense layers: smaller, and unevenly filled."""
ATTENTION = 0.75
"""Attention's products against those of matrices, in BF16."""
HBM = 0.8
"""Share of the memory rate between the products."""


def efficiency(gpu: Gpu, precision: str) -> float:
    """The constant of a GPU and a format; FP16 counts as BF16, block-scaled FP8 as FP8."""
    format_id = {"fp16": "bf16", "mxfp8": "fp8"}.get(precision, precision)
    return FITTED.get((gpu.architecture, format_id), DEFAULT)
