"""Which constants answer for a GPU: its own generation's, or those of the nearest one measured."""

from collections.abc import Mapping
from typing import TypeVar

from core.catalog.calibrations.kernels.shapes import Generation
from core.errors import InputError
from core.hardware import Gpu

MULTIPROCESSORS = 132
"""Of a GPU whose multiprocessors nobody states: those of an H100."""

_T = TypeVar("_T")


def constants_of(gpu: Gpu, measured: Mapping[Generation, _T]) -> tuple[_T, bool]:
    """
    Constants for a GPU, and whether its own generation was measured.

    The nearest generation in years with the same memory stands in, else the nearest of all; for another
    vendor's accelerator the newest with HBM.
    """
    generation = generation_of(gpu, measured)
    return measured[generation], generation == (gpu.architecture, gpu.memory_kind)


def generation_of(gpu: Gpu, measured: Mapping[Generation, object]) -> Generation:
    """The generation whose constants answer for a GPU."""
    own = (gpu.architecture, gpu.memory_kind)
    if own in measured:
        return own
    kin = [generation for generation in measured if generation[1] == gpu.memory_kind] or list(measured)
    architecture = gpu.architecture.nearest(generation[0] for generation in kin)
    if architecture is None:
        return max(kin, key=lambda generation: generation[0].year)
    return next(generation for generation in kin if generation[0] == architecture)


def multiprocessors(gpu: Gpu) -> int:
    """Streaming multiprocessors of the GPU, or those of an H100 where nobody states them."""
    return gpu.multiprocessors or MULTIPROCESSORS


def bf16_peak(gpu: Gpu) -> float:
    """
    Dense FLOP/s in BF16.

    Raises:
        InputError: The GPU states none.
    """
    if not gpu.bf16_flop_per_s:
        message = f"gpu: {gpu.id} states no BF16 peak"
        raise InputError(message)
    return gpu.bf16_flop_per_s
