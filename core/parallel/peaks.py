"""Which dense peak the GEMMs of a weight format run at on a GPU."""

from dataclasses import dataclass

from core.checks import InputError
from core.hardware import Gpu
from core.workload import Precision

FIELDS = {
    "bf16": "bf16_flop_per_s",
    "fp8": "fp8_flop_per_s",
    "fp4": "fp4_flop_per_s",
    "int8": "int8_flop_per_s",
}
MATH = {
    "fp32": ("bf16",),
    "bf16": ("bf16",),
    "fp16": ("bf16",),
    "fp8": ("fp8", "bf16"),
    "fp8-block": ("fp8", "bf16"),
    "mxfp8": ("fp8", "bf16"),
    "nvfp4": ("fp4", "fp8", "bf16"),
    "mxfp4": ("fp4", "bf16"),
    "fp4": ("fp4", "fp8", "bf16"),
    "int8": ("int8", "bf16"),
    "int4": ("bf16",),
}


@dataclass(frozen=True, slots=True)
class Peak:
    """The dense peak in FLOP/s, its format, and a note where that is not the format of the weights."""

    flop_per_s: float
    format: str
    note: str = ""


def peak(gpu: Gpu, weights: Precision) -> Peak:
    """
    The peak of the first format in the weights' chain that the GPU computes in, as serving kernels do.

    Four-bit weights on a GPU without FP4 are widened: NVFP4 to FP8, MXFP4 to BF16; INT4 always to BF16.

    Raises:
        InputError: The GPU states no matrix peak at all.
    """
    chain = MATH.get(weights.id, ("bf16",))
    for name in chain:
        rate = getattr(gpu, FIELDS[name])
        if rate is not None:
            note = "" if name == chain[0] else f"{gpu.name} has no {chain[0]} peak: computed in {name}"
            return Peak(rate, name, note)
    message = f"gpu: {gpu.name} states no peak for {weights.id}"
    raise InputError(message)
