"""Grouped products of a routed MLP: tiles by tokens and width of each expert, weights of the experts hit."""

from dataclasses import dataclass

import numpy as np

from core.catalog.calibrations.kernels.moe_constants import EngineKernels, RoutedKernel
from core.checks import Floats
from core.kernels.formats import OUTPUT_BYTES
from core.kernels.routing import Layer, Loads
from core.kernels.tiles import STEP, WHOLE_WAVES, Chip, GemmTerms, joined

_TILES = ((16, 128), (32, 128), (64, 128), (128, 128), (128, 256))
CACHE_EDGE = 8.0
"""How sharply reuse by the L2 cache ends."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Bytes of a weight and of an activation, and products before the activation function: 2 if gated."""

    weight_bytes: float
    activation_bytes: float
    gates: Floats


def grouped_terms(
    chip: Chip, kernel: RoutedKernel, engine: EngineKernels, layer: Layer, routed: Loads, weights: Weights
) -> GemmTerms:
    """The two grouped products and what is done to tokens around them."""
    rate = np.minimum(kernel.share * engine.rate, 1.0) * chip.flop_per_s
    memory = np.minimum(kernel.memory_share * engine.memory, 1.0) * chip.bytes_per_s
    one_copy = 2 * layer.hidden * layer.width * (weights.gates + 1)
    ideal_s = routed.copies * one_copy / rate
    slow = 1 + kernel.throttle * ideal_s / (ideal_s + kernel.throttle_s)
    saved = _cached(chip, kernel, layer, routed, weights)
    total, arithmetic, traffic = (np.zeros_like(layer.tokens) for _ in range(3))
    for columns, depth in ((layer.width * weights.gates, layer.hidden), (layer.hidden, layer.width)):
        moved = routed.hit * columns * depth * weights.weight_bytes
        moved = moved + routed.copies * (depth * weights.activation_bytes + columns * OUTPUT_BYTES)
        moved_s = moved / memory * saved
        product = _product(chip, kernel, rate, slow, (columns, depth), routed, moved_s, weights)
        total, arithmetic, traffic = total + product[0], arithmetic + product[1], traffic + moved_s
    copies = layer.tokens * layer.top_k
    around = kernel.passes * routed.copies * saved + engine.handled * copies
    around_s = around * 2 * layer.hidden * OUTPUT_BYTES / memory
    elsewhere_s = engine.elsewhere * np.maximum(copies - routed.copies, 0) * one_copy / rate
    start_s = kernel.start_s + engine.start_s + kernel.expert_s * layer.experts
    return GemmTerms(start_s + total + around_s + elsewhere_s, arithmetic + elsewhere_s, traffic + around_s)


def _cached(chip: Chip, kernel: RoutedKernel, layer: Layer, routed: Loads, weights: Weights) -> Floats:
    """Share of the memory time that remains where a repeated layer stays in the cache (of 0 bytes: all)."""
    each = layer.hidden * layer.width * (weights.gates + 1) * weights.weight_bytes
    held = routed.hit * each + routed.copies * OUTPUT_BYTES * (layer.hidden + 2 * layer.width)
    reach = held / np.maximum(chip.cache_bytes * kernel.cache_reach, 1.0)
    cached = 1 / (1 + np.minimum(reach, 50.0) ** CACHE_EDGE)
    return np.asarray((1 - cached) + cached / kernel.cache_rate)


def _product(
    chip: Chip,
    kernel: RoutedKernel,
    rate: Floats,
    slow: Floats,
    sizes: tuple[Floats, Floats],
    routed: Loads,
    moved_s: Floats,
    weights: Weights,
) -> tuple[Floats, Floats]:
    """Seconds of one grouped product at its quickest tile, and of its arithmetic alone."""
    columns, depth = sizes
    steps = np.ceil(depth / STEP) * STEP
    times, maths = [], []
    for rows, width in _TILES:
        tiles = (np.ceil(routed.tokens / rows) * routed.experts).sum(axis=0) * np.ceil(columns / width)
        dealt = tiles / chip.multiprocessors
        waves = WHOLE_WAVES * np.ceil(dealt) + (1 - WHOLE_WAVES) * np.maximum(dealt, 1)
        math_s = waves * 2 * rows * width * steps * chip.multiprocessors / rate * slow
        loaded = rows * weights.activation_bytes + width * weights.weight_bytes
        feed_s = waves * loaded * steps / kernel.feed_bytes_per_s
        busy_s = joined(kernel.handover, math_s, feed_s, moved_s)
        times.append(busy_s + kernel.wave_s * waves + kernel.step_s * steps / STEP)
        maths.append(math_s)
    best = np.argmin(times, axis=0)[None]
    return np.take_along_axis(np.array(times), best, 0)[0], np.take_along_axis(np.array(maths), best, 0)[0]
