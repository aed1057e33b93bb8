"""The measured formats whose kernels can multiply weights of a format on a GPU; a step takes the quickest."""

from typing import TypeVar

from core.catalog import PRECISIONS
from core.catalog.calibrations.kernels.gemm import GEMMS
from core.catalog.calibrations.kernels.moe import MOE
from core.checks import Floats
from core.hardware import Gpu
from core.kernels.formats import format_on
from core.kernels.generation import constants_of
from core.parallel.peaks import peak
from core.workload import Model, Precision

ARITHMETIC = {"bf16": "bf16", "fp8": "fp8", "fp4": "nvfp4", "int8": "int8"}
"""Measured GEMMs by the format that ``core.parallel.peaks`` says a GPU multiplies in."""
FOUR_BIT = 4
Values = TypeVar("Values", float, Floats)


def dense_weights(model: Model, weights: Precision) -> Precision:
    """The format of weights outside the experts, which checkpoints in MXFP4 leave in BF16."""
    return PRECISIONS["bf16"] if weights.id == "mxfp4" and model.moe_layers else weights


def stored_bytes(model: Model, weights: Precision, dense: float, experts: Values) -> Values:
    """Bytes of values outside the experts and of those in them, as a checkpoint of the format keeps them."""
    return dense * dense_weights(model, weights).bytes_per_value + experts * weights.bytes_per_value


def gemm_formats(gpu: Gpu, weights: Precision) -> tuple[str, ...]:
    """
    Formats of dense GEMMs: what the GPU multiplies in, and for FP4 the FP8 that it can be widened to.

    Raises:
        InputError: The GPU states no matrix peak at all.
    """
    native = peak(gpu, weights).format
    widened = native == "fp4" and gpu.fp8_flop_per_s
    return (ARITHMETIC[native], "fp8") if widened else (ARITHMETIC[native],)


def expert_formats(gpu: Gpu, weights: Precision) -> tuple[str, ...]:
    """
    The same of routed MLPs, and the kernels written for INT4 weights where they were measured.

    MXFP4 experts run in the kernels written for them, whose activations are MXFP8 or BF16, and in no other.

    Raises:
        InputError: The GPU states no matrix peak at all.
    """
    native = peak(gpu, weights).format
    generation = gpu.architecture, gpu.memory_kind
    if weights.id == "mxfp4" and (native == "fp4" or generation in MOE["mxfp4-weight-only"]):
        return ("mxfp4" if native == "fp4" else "mxfp4-weight-only",)
    widened = weights.bits == FOUR_BIT and native == "bf16" and generation in MOE["int4-weight-only"]
    return (*gemm_formats(gpu, weights), "int4-weight-only") if widened else gemm_formats(gpu, weights)


def measured_formats(gpu: Gpu, weights: Precision, *, routed: bool) -> bool:
    """Whether kernels of these weights, ``routed`` ones too, were measured on the generation."""
    dense, expert = gemm_formats(gpu, weights)[0], expert_formats(gpu, weights)[0]
    known = constants_of(gpu, GEMMS[format_on(gpu, dense)[0].constants])[1]
    return known and (not routed or constants_of(gpu, MOE[format_on(gpu, expert)[0].routed])[1])
