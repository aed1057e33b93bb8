"""Decode attention: the KV cache streamed once, by thread blocks of a KV head and a part of the context."""

import numpy as np

from core.catalog.calibrations.kernels.shapes import DecodeEngine, DecodeKernel
from core.checks import Floats
from core.hardware import Gpu
from core.kernels.generation import multiprocessors
from core.kernels.shapes import ACTIVATION_BYTES, KEY_TILE, AttentionShape, Terms

MOST_GROUP = 32
"""Queries of a KV head beyond which TensorRT-LLM decodes each query head by itself."""
BLOCKS_PER_SM = 2
HANDOVER = 3.0
"""How sharply memory, tiles and the longest block hand over to each other."""
CACHE_EDGE = 8.0
"""How sharply a working set falls out of L2."""


def decode_terms(
    gpu: Gpu, shape: AttentionShape, kernel: DecodeKernel, engine: DecodeEngine, *, warm: bool = False
) -> Terms:
    """
    Seconds of a step: launch, then the longest of the cache's bytes, the blocks and the longest block.

    The context is split over blocks until every multiprocessor has some; ``warm`` reads from L2 what fits.
    """
    sms = multiprocessors(gpu)
    context = np.minimum(shape.keys, shape.window + KEY_TILE)
    group = shape.heads / shape.kv_heads
    alone = engine.single_heads & ((group == 1) | (group > MOST_GROUP))
    units = shape.batch * np.where(alone, shape.heads, shape.kv_heads)
    wide = shape.head_dim / 128
    narrow = shape.cache_bytes < ACTIVATION_BYTES
    rows = np.ceil(group / engine.group_rows)
    grouped_s = engine.unit_s * np.where(narrow, engine.unit_fp8, 1.0) * (1 + kernel.row * (rows - 1))
    unit_s = np.where(alone, kernel.head_s, grouped_s) * wide**kernel.width_power
    ratio = np.where(alone, 1.0, engine.key_ratio)
    wide = wide * ratio * np.where(narrow, np.where(alone, kernel.head_fp8, kernel.key_fp8), 1.0)
    key_s = np.where(alone, kernel.head_key_s, kernel.key_s * rows) * wide
    tiles = np.ceil(context / KEY_TILE) * KEY_TILE
    free = np.minimum(BLOCKS_PER_SM * sms / units, np.where(narrow, engine.fp8_splits, engine.most_splits))
    splits = np.clip(tiles / kernel.split_keys, 1, np.maximum(free, 1))
    spread = units * (unit_s + tiles * key_s) / sms
    longest = unit_s + tiles / splits * kernel.walk_s * wide
    compute_s = (spread**HANDOVER + longest**HANDOVER) ** (1 / HANDOVER)
    memory_s = _memory_s(gpu, shape, context, kernel, engine, warm=warm)
    body = (compute_s**HANDOVER + memory_s**HANDOVER) ** (1 / HANDOVER)
    return Terms(engine.launch_s + body, compute_s, memory_s)


def _memory_s(
    gpu: Gpu,
    shape: AttentionShape,
    context: Floats,
    kernel: DecodeKernel,
    engine: DecodeEngine,
    *,
    warm: bool,
) -> Floats:
    cache = 2 * shape.kv_heads * context * shape.cache_bytes
    moved = shape.batch * shape.head_dim * (cache + 2 * shape.heads * ACTIVATION_BYTES)
    share = engine.memory_share * np.where(shape.cache_bytes < ACTIVATION_BYTES, engine.memory_fp8, 1.0)
    time_s = moved / (share * gpu.memory_rate.bytes_per_s)
    if not warm or kernel.l2_speed == 1:
        return np.asarray(time_s)
    inside = 1 / (1 + (moved / kernel.l2_bytes) ** CACHE_EDGE)
    return np.asarray(time_s * (1 - inside * (1 - 1 / kernel.l2_speed)))
