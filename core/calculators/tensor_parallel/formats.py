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
from core.workload import Attention, Model, Precision
from core.workload.transformer import Parameters

ARITHMETIC = {"bf16": "bf16", "fp8": "fp8", "fp4": "nvfp4", "int8": "int8"}
"""Measured GEMMs by the format that ``core.parallel.peaks`` says a GPU multiplies in."""
BLOCK_SCALED = "fp8-block"
"""Measured kernels of FP8 with a scale for each block of 128 x 128, as DeepSeek's checkpoints have it."""
FOUR_BIT = 4
Values = TypeVar("Values", float, Floats)


def dense_weights(model: Model, weights: Precision) -> Precision:
    """The format of weights outside the experts, which checkpoints in MXFP4 leave in BF16."""
    return PRECISIONS["bf16"] if weights.id == "mxfp4" and model.moe_layers else weights


def projection_weights(model: Model, weights: Precision) -> Precision:
    """The format of attention's projections, which checkpoints of MLA in NVFP4 leave in BF16."""
    left = weights.id == "nvfp4" and model.attention is Attention.MLA
    return PRECISIONS["bf16"] if left else dense_weights(model, weights)


def widths(model: Model, weights: Precision) -> tuple[float, float, float]:
    """Bytes of a weight of attention's projections, of other MLPs and of routed experts."""
    formats = projection_weights(model, weights), dense_weights(model, weights), weights
    first, second, third = (each.bytes_per_value for each in formats)
    return first, second, third


def stored_bytes(
    model: Model, weights: Precision, dense: float, experts: Values, projections: float
) -> Values:
    """
    Bytes of values as a checkpoint of the format keeps them.

    Args:
        model: Whose checkpoint.
        weights: Its format.
        dense: Values outside the experts and outside attention's projections.
        experts: Values of routed experts.
        projections: Values of attention's projections.
    """
    of_projections, of_dense, of_experts = widths(model, weights)
    return dense * of_dense + projections * of_projections + experts * of_experts


def mean_bytes(model: Model, weights: Precision, counted: Parameters, *, active: bool = False) -> float:
    """Bytes of a value of the whole checkpoint, or of those that a token meets, on average."""
    experts, total = (counted.active_experts, counted.active) if active else (counted.experts, counted.total)
    dense = total - experts - counted.attention
    return stored_bytes(model, weights, dense, experts, counted.attention) / total


def block_scaled(model: Model, weights: Precision) -> bool:
    """Whether the weights have a scale for each block: asked so, or FP8 of DeepSeek and those alike."""
    return weights.id == BLOCK_SCALED or (weights.id == "fp8" and model.attention is Attention.MLA)


def gemm_formats(gpu: Gpu, weights: Precision, model: Model | None = None) -> tuple[str, ...]:
    """
    Formats of dense GEMMs: what the GPU multiplies in, and for FP4 the FP8 that it can be widened to.

    Raises:
        InputError: The GPU states no matrix peak at all.
    """
    native = peak(gpu, weights).format
    if native == "fp8" and model is not None and block_scaled(model, weights):
        return (BLOCK_SCALED,)
    widened = native == "fp4" and gpu.fp8_flop_per_s
    return (ARITHMETIC[native], "fp8") if widened else (ARITHMETIC[native],)


def expert_formats(gpu: Gpu, weights: Precision, model: Model | None = None) -> tuple[str, ...]:
    """
    The same of routed MLPs; INT4 weights run in the kernels written for them where those were measured.

    MXFP4 experts run in the kernels written for them, whose activations are MXFP8 or BF16, and in no other.

    Raises:
        InputError: The GPU states no matrix peak at all.
    """
    native = peak(gpu, weights).format
    generation = gpu.architecture, gpu.memory_kind
    if weights.id == "mxfp4" and (native == "fp4" or generation in MOE["mxfp4-weight-only"]):
        return ("mxfp4" if native == "fp4" else "mxfp4-weight-only",)
    if weights.bits == FOUR_BIT and native == "bf16" and generation in MOE["int4-weight-only"]:
        return ("int4-weight-only",)
    return gemm_formats(gpu, weights, model)


def measured_formats(gpu: Gpu, weights: Precision, model: Model) -> bool:
    """Whether kernels of the model's weights, routed ones too, were measured on the generation."""
    dense, expert = gemm_formats(gpu, weights, model)[0], expert_formats(gpu, weights, model)[0]
    routed = model.moe_layers > 0
    known = constants_of(gpu, GEMMS[format_on(gpu, dense)[0].constants])[1]
    return known and (not routed or constants_of(gpu, MOE[format_on(gpu, expert)[0].routed])[1])
