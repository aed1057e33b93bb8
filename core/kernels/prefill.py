"""Prefill attention: tiles of queries times tiles of keys over the multiprocessors, then the bytes."""

import numpy as np

from core.catalog.calibrations.kernels.shapes import HEAD_DIMS, PrefillEngine, PrefillKernel
from core.checks import Floats
from core.hardware import Gpu
from core.kernels.generation import bf16_peak, multiprocessors
from core.kernels.shapes import ACTIVATION_BYTES, KEY_TILE, AttentionShape, Terms

FILL_ORDER = 1.5
"""How sharply the longest thread block hands over to the sum of all."""
FLOP_PER_PAIR = 4
"""Of a query, a key and a dimension: two products, each a multiplication and an addition."""


def prefill_terms(gpu: Gpu, shape: AttentionShape, kernel: PrefillKernel, engine: PrefillEngine) -> Terms:
    """
    Seconds of a call: launch, tiles, bytes.

    A thread block takes a tile of queries (of one head, or of a KV head's group where the engine packs it)
    through its keys; the multiprocessors share all blocks, but none ends before its longest.
    """
    sms = multiprocessors(gpu)
    packed = np.minimum(shape.heads / shape.kv_heads, kernel.query_tile) if engine.packs_group else 1.0
    window = shape.window if engine.skips_window else np.asarray(np.inf)
    keys, blocks, longest = _keys_of_blocks(shape, window, kernel.query_tile / packed)
    rate = tensor_share(kernel, shape) * engine.speed * bf16_peak(gpu) / sms
    key_s = FLOP_PER_PAIR * kernel.query_tile * shape.head_dim / rate
    columns = shape.batch * shape.heads / packed
    spread = columns * (keys * key_s + blocks * engine.block_s) / sms
    alone = kernel.tail * (longest * key_s + engine.block_s)
    compute_s = (spread**FILL_ORDER + alone**FILL_ORDER) ** (1 / FILL_ORDER)
    memory_s = _bytes(shape) / (kernel.memory_share * gpu.memory_rate.bytes_per_s)
    return Terms(engine.launch_s + compute_s + memory_s, compute_s, memory_s)


def tensor_share(kernel: PrefillKernel, shape: AttentionShape) -> Floats:
    """Share of the BF16 peak that a block reaches at this head dimension; FP8 products by their ratio."""
    width = np.log2(shape.head_dim)
    share = np.interp(width, np.log2(HEAD_DIMS), kernel.tensor_share)
    if shape.fp8_products:
        share = share * np.interp(width, np.log2(HEAD_DIMS), kernel.fp8_speed)
    return np.asarray(share)


def _keys_of_blocks(
    shape: AttentionShape, window: Floats, span: Floats | float
) -> tuple[Floats, Floats, Floats]:
    """
    Of a column of blocks, each ``span`` tokens high: keys of all, blocks, keys of the longest.

    Keys count in whole tiles; a window cuts what lies further back than its reach.
    """
    blocks = np.ceil(shape.queries / span)
    prefix = shape.keys - shape.queries
    padding = np.maximum(KEY_TILE - span, 0) / 2
    reach = window + span + KEY_TILE / 2
    last = np.minimum(np.ceil(shape.keys / KEY_TILE) * KEY_TILE, reach)
    growing = np.clip(np.floor((reach - prefix) / span), 0, blocks - 1)
    cut = blocks - 1 - growing
    beyond = np.where(cut > 0, reach, 0.0) * cut
    keys = span * growing * (growing + 1) / 2 + growing * (padding + prefix) + beyond + last
    return keys, blocks, last


def _bytes(shape: AttentionShape) -> Floats:
    """Queries and outputs; keys and values read, those of new tokens written to the cache as well."""
    new = shape.queries * 2 * shape.kv_heads * (ACTIVATION_BYTES + shape.cache_bytes / 2)
    reach = np.minimum(shape.keys - shape.queries, shape.window)
    old = reach * 2 * shape.kv_heads * shape.cache_bytes
    own = shape.queries * 2 * shape.heads * ACTIVATION_BYTES
    return np.asarray(shape.batch * shape.head_dim * (own + new + old))
