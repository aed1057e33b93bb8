"""Formats of a GEMM: bytes of its operands, the peak it runs at, and what stands in where a GPU lacks it."""

from dataclasses import dataclass

from core.checks import choice
from core.errors import InputError
from core.hardware import Gpu
from core.parallel.peaks import FIELDS


@dataclass(frozen=True, slots=True)
class Format:
    """
    A format of weights and activations.

    Attributes:
        peak: The matrix peak of the GPU that its products run at, as ``core.parallel.peaks`` names it.
        weight_bytes, activation_bytes: Of a value with its share of scales.
        constants: The measured format whose constants its GEMMs take.
        routed: The same of routed MLPs.
        instead: The format that runs where the GPU lacks the peak; empty where nothing can.
    """

    name: str
    peak: str
    weight_bytes: float
    activation_bytes: float
    constants: str
    routed: str
    instead: str = ""


_MX, _NV, _BLOCK = 1 / 32, 1 / 16, 4 / 128
FORMATS = {
    entry.name: entry
    for entry in (
        Format("bf16", "bf16", 2, 2, "bf16", "bf16"),
        Format("fp16", "bf16", 2, 2, "bf16", "bf16"),
        Format("fp8", "fp8", 1, 1, "fp8", "fp8", "int8-weight-only"),
        Format("fp8-block", "fp8", 1 + _BLOCK, 1 + _BLOCK, "fp8-block", "fp8-block", "int8-weight-only"),
        Format("mxfp8", "fp8", 1 + _MX, 1 + _MX, "fp8-block", "fp8-block", "int8-weight-only"),
        Format("nvfp4", "fp4", 0.5 + _NV, 0.5 + _NV, "nvfp4", "nvfp4", "int4-weight-only"),
        Format("mxfp4", "fp4", 0.5 + _MX, 0.5 + _MX, "nvfp4", "mxfp4-mxfp8", "mxfp4-weight-only"),
        Format("int8", "int8", 1, 1, "int8", "fp8", "int8-weight-only"),
        Format("int8-weight-only", "bf16", 1, 2, "int8-weight-only", "int4-weight-only"),
        Format("int4-weight-only", "bf16", 0.5, 2, "int4-weight-only", "int4-weight-only"),
        Format("mxfp4-mxfp8", "fp8", 0.5 + _MX, 1 + _MX, "fp8-block", "mxfp4-mxfp8", "mxfp4-weight-only"),
        Format("mxfp4-weight-only", "bf16", 0.5 + _MX, 2, "int4-weight-only", "mxfp4-weight-only"),
    )
}
OUTPUT_BYTES = 2


def format_on(gpu: Gpu, name: str) -> tuple[Format, float]:
    """
    The format that runs on this GPU in place of ``name``, and its dense peak in FLOP/s.

    Raises:
        InputError: No such format, or a GPU without any matrix peak.
    """
    entry = FORMATS[choice("format", name, FORMATS)]
    while True:
        rate = getattr(gpu, FIELDS[entry.peak])
        if rate is not None:
            return entry, float(rate)
        if not entry.instead:
            message = f"gpu: {gpu.name} states no peak for {name}"
            raise InputError(message)
        entry = FORMATS[entry.instead]
