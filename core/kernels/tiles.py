"""A GEMM as tiles dealt to the SMs in waves: the quickest tile and split of k, or the tile taken by m."""

from dataclasses import dataclass

import numpy as np

from core.catalog.calibrations.kernels.gemm_constants import GemmKernel
from core.checks import Floats
from core.kernels.formats import OUTPUT_BYTES

_TILES = ((64, 64), (64, 128), (128, 64), (128, 128), (128, 256), (256, 128))
_SPLITS = (1, 2, 3, 4, 6, 8, 16)
_CHOICES = np.array([(rows, columns, split) for rows, columns in _TILES for split in _SPLITS], np.float64)
STEP = 64
"""Values of k that a tile takes at a time."""
LEAST_SPLIT = 128
"""Values of k below which no library splits."""
WHOLE_WAVES = 0.7
"""Share of the tiles dealt in whole waves; the others follow without waiting (persistent kernels)."""
PARTIAL_BYTES = 8
"""Bytes a value and split: written in FP32 and read again."""
CACHE_REACH, CACHE_EDGE = 1.1, 20.0
"""Where reuse by the L2 cache ends (share of its size), and how sharply."""


@dataclass(frozen=True, slots=True)
class Chip:
    """Figures of a GPU that a GEMM depends on: SMs, dense FLOP/s of the format, memory and L2 cache."""

    multiprocessors: float
    flop_per_s: float
    bytes_per_s: float
    cache_bytes: float


@dataclass(frozen=True, slots=True)
class Operands:
    """
    Sizes of a product, arrays of one shape: m x k activations by k x n weights.

    Attributes:
        cycled_bytes: Weights read before the same come again; infinite in a model.
    """

    m: Floats
    n: Floats
    k: Floats
    weight_bytes: float
    activation_bytes: float
    cycled_bytes: Floats


@dataclass(frozen=True, slots=True)
class GemmTerms:
    """Seconds of a call, and of its arithmetic and memory traffic alone."""

    time_s: Floats
    math_s: Floats
    memory_s: Floats


def memory_s(chip: Chip, kernel: GemmKernel, work: Operands) -> Floats:
    """Weights, activations and output once each, from the cache where they still lie there."""
    weights = work.weight_bytes * work.n * work.k
    others = work.activation_bytes * work.m * work.k + OUTPUT_BYTES * work.m * work.n
    reach = (work.cycled_bytes + others) / (chip.cache_bytes * CACHE_REACH)
    cached = 1 / (1 + np.minimum(reach, 50.0) ** CACHE_EDGE)
    rate = chip.bytes_per_s * kernel.memory_share
    return (weights + others) * ((1 - cached) + cached / kernel.cache_rate) / rate


def throttled(chip: Chip, kernel: GemmKernel, work: Operands) -> Floats:
    """How much longer the arithmetic takes as power limits the clock: 1 for short calls."""
    ideal_s = 2 * work.m * work.n * work.k / (chip.flop_per_s * kernel.share)
    return 1 + kernel.throttle * ideal_s / (ideal_s + kernel.throttle_s)


@dataclass(frozen=True, slots=True)
class _Choices:
    """Tiles that a library may take, each with the parts of k and the tiles along m that go together."""

    rows: Floats
    columns: Floats
    split: Floats
    paired: Floats


def _choices(kernel: GemmKernel, m: Floats) -> _Choices:
    """All tiles and splits, or for each product the tile that the library has for its rows."""
    if not kernel.tiles:
        rows, columns, split = (_CHOICES[:, i].reshape(-1, *[1] * m.ndim) for i in range(3))
        return _Choices(rows, columns, split, np.ones_like(split))
    at = np.searchsorted([tile.most_rows for tile in kernel.tiles], m)
    rows, columns, paired = (
        np.array([getattr(tile, name) for tile in kernel.tiles], np.float64)[at][None]
        for name in ("rows", "columns", "paired")
    )
    return _Choices(rows, columns, np.ones_like(rows), paired)


def gemm_terms(chip: Chip, kernel: GemmKernel, work: Operands) -> GemmTerms:
    """The quickest choice of tile and split, all at once, after the rounding of activations."""
    time_s, math_s, moved_s = _choice_times(chip, kernel, work)
    best = np.argmin(time_s, axis=0)[None]
    quickest, arithmetic = (np.take_along_axis(times, best, 0)[0] for times in (time_s, math_s))
    least_s = 2 * work.m * work.n * work.k / chip.flop_per_s
    whole_s = kernel.start_s + np.maximum(quickest, least_s) + _rounding_s(chip, kernel, work)
    return GemmTerms(whole_s, arithmetic, moved_s)


def _choice_times(chip: Chip, kernel: GemmKernel, work: Operands) -> tuple[Floats, Floats, Floats]:
    """Seconds of every choice, of its arithmetic, and of the memory traffic of any."""
    tile = _choices(kernel, work.m)
    depth = np.ceil(work.k / tile.split / STEP) * STEP
    along_m = np.ceil(work.m / tile.rows / tile.paired) * tile.paired
    dealt = along_m * np.ceil(work.n / tile.columns) * tile.split / chip.multiprocessors
    waves = WHOLE_WAVES * np.ceil(dealt) + (1 - WHOLE_WAVES) * np.maximum(dealt, 1)
    rate = chip.flop_per_s * kernel.share / chip.multiprocessors
    math_s = waves * 2 * tile.rows * tile.columns * depth / rate * throttled(chip, kernel, work)
    loaded = tile.rows * work.activation_bytes + tile.columns * work.weight_bytes
    feed_s = waves * loaded * depth / kernel.feed_bytes_per_s
    moved_s = memory_s(chip, kernel, work)
    busy_s = joined(kernel.handover, math_s, feed_s, moved_s)
    cache_rate = chip.bytes_per_s * kernel.memory_share * kernel.cache_rate
    partial_s = kernel.split_s + PARTIAL_BYTES * work.m * work.n * tile.split / cache_rate
    split = tile.split > 1
    time_s = busy_s + kernel.wave_s * waves + kernel.step_s * depth / STEP + np.where(split, partial_s, 0)
    return np.where(split & (work.k / tile.split < LEAST_SPLIT), np.inf, time_s), math_s, moved_s


def _rounding_s(chip: Chip, kernel: GemmKernel, work: Operands) -> Floats:
    """Scaling and rounding activations: passes over them, or a thread block a row where that takes longer."""
    moved = (1 + OUTPUT_BYTES) * work.m * work.k
    passes_s = kernel.quantise * moved / (chip.bytes_per_s * kernel.memory_share)
    return np.maximum(passes_s, kernel.row_s * work.m / chip.multiprocessors)


def joined(handover: float, *times_s: Floats) -> Floats:
    """Times that overlap: the longest, and more where two are as long."""
    longest = np.maximum.reduce(np.broadcast_arrays(*times_s))
    longest = np.maximum(longest, 1e-30)
    powers = [(times / longest) ** handover for times in times_s]
    return np.asarray(longest * np.sum(np.broadcast_arrays(*powers), axis=0) ** (1 / handover))
