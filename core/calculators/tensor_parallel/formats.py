"""The measured formats whose kernels can multiply weights of a format on a GPU; a step takes the quickest."""

from core.catalog.calibrations.kernels.gemm import GEMMS
from core.catalog.calibrations.kernels.moe import MOE
from core.hardware import Gpu
from core.kernels.formats import format_on
from core.kernels.generation import constants_of
from core.parallel.peaks import MATH, peak
from core.workload import Precision

ARITHMETIC = {"bf16": "bf16", "fp8": "fp8", "fp4": "nvfp4", "int8": "int8"}
"""Measured GEMMs by the format that ``core.parallel.peaks`` says a GPU multiplies in."""
FOUR_BIT = 4


def gemm_formats(gpu: Gpu, weights: Precision) -> tuple[str, ...]:
    """
    Formats of dense GEMMs: what the GPU multiplies in, and for FP4 the FP8 that it can be widened to.

    Raises:
        InputError: The GPU states no matrix peak at all.
    """
    native = peak(gpu, weights).format
    widened = native == "fp4" and "fp8" in MATH[weights.id] and gpu.fp8_flop_per_s
    return (ARITHMETIC[native], "fp8") if widened else (ARITHMETIC[native],)


def expert_formats(gpu: Gpu, weights: Precision) -> tuple[str, ...]:
    """
    The same of routed MLPs, and the kernels written for MXFP4 and for INT4 weights where they were measured.

    Raises:
        InputError: The GPU states no matrix peak at all.
    """
    native = peak(gpu, weights).format
    own: list[str] = []
    if weights.id == "mxfp4":
        own.append("mxfp4" if native == "fp4" else "mxfp4-weight-only")
    if weights.bits == FOUR_BIT and native == "bf16":
        own.append("int4-weight-only")
    generation = gpu.architecture, gpu.memory_kind
    measured = (name for name in own if name == "mxfp4" or generation in MOE[name])
    return (*gemm_formats(gpu, weights), *measured)


def measured_formats(gpu: Gpu, weights: Precision, *, routed: bool) -> bool:
    """Whether kernels of these weights, ``routed`` ones too, were measured on the generation."""
    dense, expert = gemm_formats(gpu, weights)[0], expert_formats(gpu, weights)[0]
    known = constants_of(gpu, GEMMS[format_on(gpu, dense)[0].constants])[1]
    return known and (not routed or constants_of(gpu, MOE[format_on(gpu, expert)[0].routed])[1])
