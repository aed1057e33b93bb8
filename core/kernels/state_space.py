"""Gated delta net (Qwen3-Next): a short convolution, then a scan by chunks or one step of the state."""

import numpy as np
from numpy.typing import ArrayLike

from core.catalog.calibrations.kernels.shapes import ScanKernel, StateSpaceKernel
from core.catalog.calibrations.kernels.state_space import GATED_DELTA_NET
from core.checks import Floats, choice
from core.hardware import Gpu
from core.kernels.generation import constants_of, multiprocessors
from core.kernels.result import KernelTime
from core.kernels.shapes import ACTIVATION_BYTES, positive

CHUNK = 64
"""Tokens that the scan takes at once."""
HEAD_DIM = 128
STATE_BYTES = 4
"""The state is kept in FP32."""
READ_AND_WRITTEN = 2


def gated_delta_prefill_s(
    gpu: Gpu,
    batch: ArrayLike,
    length: ArrayLike,
    key_heads: ArrayLike,
    value_heads: ArrayLike,
    *,
    scan: str = "triton",
) -> KernelTime:
    """
    Convolution and scan of one layer over ``length`` new tokens, without its projections.

    Args:
        gpu: Its memory rate and multiprocessors; constants by its generation.
        batch: Sequences.
        length: New tokens of each.
        key_heads: Heads of queries and of keys on this GPU, 128 values each.
        value_heads: Heads of values on this GPU, 128 values each.
        scan: triton (SGLang, TensorRT-LLM) or flashinfer (vLLM on Hopper and Blackwell with HBM).

    Raises:
        InputError: A scan that nobody measured there, or a number that is not above zero.
    """
    kernel, measured = constants_of(gpu, GATED_DELTA_NET)
    chosen = kernel.scans[choice("scan", scan, kernel.scans)]
    sequences, tokens, key, value = _arrays(batch, length, key_heads, value_heads)
    conv_s = convolution_s(gpu, kernel, sequences * tokens, _channels(key, value))
    scan_s = chunked_scan_s(gpu, chosen, sequences, tokens, value)
    launch_s = kernel.convolution_launch_s + chosen.launch_s
    return _answer(kernel, conv_s + scan_s, launch_s, measured=measured)


def gated_delta_decode_s(
    gpu: Gpu, batch: ArrayLike, key_heads: ArrayLike, value_heads: ArrayLike
) -> KernelTime:
    """
    One decode step of one layer: the state of every sequence is read and written, however long its context.

    Args:
        gpu: Its memory rate; constants by its generation.
        batch: Sequences.
        key_heads: Heads of queries and of keys on this GPU, 128 values each.
        value_heads: Heads of values on this GPU, each with a state of 128 x 128.
    """
    kernel, measured = constants_of(gpu, GATED_DELTA_NET)
    sequences, _, key, value = _arrays(batch, 1, key_heads, value_heads)
    conv_s = update_s(gpu, kernel, sequences, _channels(key, value))
    step_s = state_step_s(gpu, kernel, sequences, value)
    launch_s = kernel.update_launch_s + kernel.step_launch_s
    return _answer(kernel, conv_s + step_s, launch_s, measured=measured)


def convolution_s(gpu: Gpu, kernel: StateSpaceKernel, tokens: Floats, channels: Floats) -> Floats:
    """The short convolution of a prefill: every channel read and written once."""
    moved = tokens * channels * ACTIVATION_BYTES * READ_AND_WRITTEN
    return np.asarray(
        kernel.convolution_launch_s + moved / (kernel.convolution_share * gpu.memory_rate.bytes_per_s)
    )


def update_s(gpu: Gpu, kernel: StateSpaceKernel, sequences: Floats, channels: Floats) -> Floats:
    """The short convolution of a decode step."""
    moved = sequences * channels * ACTIVATION_BYTES * READ_AND_WRITTEN
    return np.asarray(kernel.update_launch_s + moved / (kernel.update_share * gpu.memory_rate.bytes_per_s))


def chunked_scan_s(gpu: Gpu, scan: ScanKernel, sequences: Floats, tokens: Floats, heads: Floats) -> Floats:
    """Chunks of all sequences and heads over the multiprocessors, and those of one sequence in turn."""
    chunks = np.ceil(tokens / CHUNK)
    columns = sequences * heads / multiprocessors(gpu)
    return np.asarray(
        scan.launch_s
        + np.hypot(columns * chunks * scan.chunk_s, chunks * scan.walk_s)
        + columns * scan.head_s
    )


def state_step_s(gpu: Gpu, kernel: StateSpaceKernel, sequences: Floats, heads: Floats) -> Floats:
    """One step of the recurrence: the state read and written."""
    moved = sequences * heads * HEAD_DIM**2 * STATE_BYTES * READ_AND_WRITTEN
    return np.asarray(kernel.step_launch_s + moved / (kernel.state_share * gpu.memory_rate.bytes_per_s))


def _channels(key_heads: Floats, value_heads: Floats) -> Floats:
    return np.asarray((2 * key_heads + value_heads) * HEAD_DIM)


def _arrays(*numbers: ArrayLike) -> list[Floats]:
    names = ("batch", "length", "key_heads", "value_heads")
    return [positive(name, value) for name, value in zip(names, numbers, strict=True)]


def _answer(kernel: StateSpaceKernel, time_s: Floats, launch_s: float, *, measured: bool) -> KernelTime:
    band = kernel.band
    low, high = (band.low, band.high) if measured else (band.new_low, band.new_high)
    compute_bound = np.zeros(time_s.shape, dtype=bool)
    return KernelTime(time_s, time_s * low, time_s * high, compute_bound, np.asarray(launch_s > time_s / 2))
