"""Grouped products of a routed MLP: tiles by tokens and width of each expert, weights of the experts hit."""

from dataclasses import dataclass

import numpy as np

from core.catalog.calibrations.kernels.moe_constants import RoutedKernel
from core.checks import Floats
from core.kernels.formats import OUTPUT_BYTES
from core.kernels.routing import Layer, Loads
from core.kernels.tiles import STEP, WHOLE_WAVES, Chip, GemmTerms, joined

TILES = np.array([(16, 128), (32, 128), (64, 128), (128, 128), (128, 256)], np.float64)
"""Rows and columns of a tile."""
MEAN_ROWS, MEAN_COLUMNS = (8.0, 256.0), 128.0
"""Fewest and most rows, a power of two, of a tile taken by the mean load of an expert, and its columns."""
CACHE_EDGE = 8.0
"""How sharply reuse by the L2 cache ends."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Bytes of a weight and of an activation, and products before the activation function: 2 if gated."""

    weight_bytes: float
    activation_bytes: float
    gates: Floats


def grouped_terms(
    chip: Chip, kernel: RoutedKernel, layer: Layer, routed: Loads, weights: Weights
) -> GemmTerms:
    """The two grouped products and what is done to tokens around them."""
    rate, memory = kernel.share * chip.flop_per_s, kernel.memory_share * chip.bytes_per_s
    one_copy = 2 * layer.hidden * layer.width * (weights.gates + 1)
    ideal_s = routed.copies * one_copy / rate
    slow = 1 + kernel.throttle * ideal_s / (ideal_s + kernel.throttle_s)
    saved = _cached(chip, kernel, layer, routed, weights)
    rows = _mean_rows(layer) if kernel.by_mean else None
    total, arithmetic, traffic = (np.zeros_like(layer.tokens) for _ in range(3))
    for columns, depth in ((layer.width * weights.gates, layer.hidden), (layer.hidden, layer.width)):
        moved = routed.hit * columns * depth * weights.weight_bytes
        moved = moved + routed.copies * (depth * weights.activation_bytes + columns * OUTPUT_BYTES)
        moved_s = moved / memory * saved
        tiles = _Tiles(chip, kernel, rate, slow, routed, weights, rows)
        product = _product(tiles, columns, depth, moved_s)
        total, arithmetic, traffic = total + product[0], arithmetic + product[1], traffic + moved_s
    copies = layer.tokens * layer.top_k
    around = kernel.passes * routed.copies * saved + kernel.handled * copies
    around_s = around * 2 * layer.hidden * OUTPUT_BYTES / memory
    elsewhere_s = kernel.elsewhere * np.maximum(copies - routed.copies, 0) * one_copy / rate
    start_s = kernel.start_s + kernel.expert_s * layer.experts
    return GemmTerms(start_s + total + around_s + elsewhere_s, arithmetic + elsewhere_s, traffic + around_s)


def _mean_rows(layer: Layer) -> Floats:
    """Rows of a tile that holds the tokens of one local expert on average, a power of two from 8 to 256."""
    mean = np.maximum(layer.tokens * layer.top_k / layer.local, 1.0)
    return np.asarray(np.clip(2 ** np.ceil(np.log2(mean)), *MEAN_ROWS))


def _cached(chip: Chip, kernel: RoutedKernel, layer: Layer, routed: Loads, weights: Weights) -> Floats:
    """Share of the memory time that remains where a repeated layer stays in the cache (of 0 bytes: all)."""
    each = layer.hidden * layer.width * (weights.gates + 1) * weights.weight_bytes
    held = routed.hit * each + routed.copies * OUTPUT_BYTES * (layer.hidden + 2 * layer.width)
    reach = held / np.maximum(chip.cache_bytes * kernel.cache_reach, 1.0)
    cached = 1 / (1 + np.minimum(reach, 50.0) ** CACHE_EDGE)
    return np.asarray((1 - cached) + cached / kernel.cache_rate)


@dataclass(frozen=True, slots=True)
class _Tiles:
    """What sets the time of a tile; ``rows``: of the tile that is taken, None for the quickest."""

    chip: Chip
    kernel: RoutedKernel
    rate: float | Floats
    slow: Floats
    routed: Loads
    weights: Weights
    rows: Floats | None


def _product(tiles: _Tiles, columns: Floats, depth: Floats, moved_s: Floats) -> tuple[Floats, Floats]:
    """Seconds of one grouped product, and of its arithmetic alone, in tiles given or the quickest."""
    if tiles.rows is not None:
        return _in_tiles(tiles, tiles.rows, MEAN_COLUMNS, columns, depth, moved_s)
    rows, widths = (side.reshape(-1, *[1] * columns.ndim) for side in TILES.T)
    times, maths = _in_tiles(tiles, rows, widths, columns, depth, moved_s)
    best = np.argmin(times, axis=0)[None]
    return np.take_along_axis(times, best, 0)[0], np.take_along_axis(maths, best, 0)[0]


def _in_tiles(
    tiles: _Tiles, rows: Floats, widths: Floats | float, columns: Floats, depth: Floats, moved_s: Floats
) -> tuple[Floats, Floats]:
    """The same in tiles of so many rows and columns, arrays that broadcast with those of the product."""
    kernel, chip, weights = tiles.kernel, tiles.chip, tiles.weights
    steps = np.ceil(depth / STEP) * STEP
    by_class = np.ceil(tiles.routed.tokens / np.expand_dims(rows, -1 - columns.ndim)) * tiles.routed.experts
    count = by_class.sum(axis=-1 - columns.ndim) * np.ceil(columns / widths)
    dealt = count / chip.multiprocessors
    waves = WHOLE_WAVES * np.ceil(dealt) + (1 - WHOLE_WAVES) * np.maximum(dealt, 1)
    math_s = waves * 2 * rows * widths * steps * chip.multiprocessors / tiles.rate * tiles.slow
    loaded = rows * weights.activation_bytes + widths * weights.weight_bytes
    feed_s = waves * loaded * steps / kernel.feed_bytes_per_s
    busy_s = joined(kernel.handover, math_s, feed_s, moved_s)
    return busy_s + kernel.wave_s * waves + kernel.step_s * steps / STEP, math_s
