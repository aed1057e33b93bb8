"""Multi-head latent attention (MLA): prefill with keys and values unpacked, decode in the latent space."""

import numpy as np
from numpy.typing import ArrayLike

from core.catalog.calibrations.kernels.mla import DECODE, PREFILL
from core.catalog.calibrations.kernels.shapes import PrefillEngine
from core.hardware import Gpu
from core.kernels.attention import cache_value_bytes
from core.kernels.bands import banded, engine_constants
from core.kernels.decode import decode_terms
from core.kernels.generation import constants_of
from core.kernels.prefill import prefill_terms
from core.kernels.result import KernelTime
from core.kernels.shapes import ACTIVATION_BYTES, AttentionShape, attention_shape, prompt_keys

LATENT, ROPE, NOPE, VALUE = 512, 64, 128, 128
"""DeepSeek's widths: of the cached latent, of the rotated part, and of a head's unrotated keys and values."""


def mla_prefill_s(
    gpu: Gpu,
    cache_format: str,
    batch: ArrayLike,
    length: ArrayLike,
    heads: ArrayLike,
    *,
    prefix: ArrayLike = 0,
    engine: str | None = None,
) -> KernelTime:
    """
    Causal attention over ``length`` new tokens, without its projections.

    Args:
        gpu: Its peak, memory rate and multiprocessors; constants by its generation.
        cache_format: bf16, fp16 or fp8.
        batch: Sequences.
        length: New tokens of each.
        heads: On this GPU: those of the model over the tensor-parallel degree.
        prefix: Tokens already in the cache; not measured, by the formula.
        engine: trtllm, vllm or sglang; None takes their median.

    Raises:
        InputError: A format or engine that nobody measured, or a GPU without a BF16 peak.
    """
    kernel, measured = constants_of(gpu, PREFILL)
    chosen = engine_constants(kernel.engines, engine, gpu)
    keys = prompt_keys(length, prefix)
    stored = cache_value_bytes(cache_format)
    shape = prefill_shape(batch, length, keys, heads, stored, chosen)
    return banded(prefill_terms(gpu, shape, kernel, chosen), kernel, engine, measured=measured)


def mla_decode_s(
    gpu: Gpu,
    cache_format: str,
    batch: ArrayLike,
    context: ArrayLike,
    heads: ArrayLike,
    *,
    engine: str | None = None,
    warm: bool = False,
) -> KernelTime:
    """
    One decode step in the latent space: all heads of a sequence read the same 576 values a token.

    Args:
        gpu: Its peak, memory rate and multiprocessors; constants by its generation.
        cache_format: bf16, fp16 or fp8.
        batch: Sequences.
        context: Tokens in the cache of each.
        heads: On this GPU: those of the model over the tensor-parallel degree.
        engine: trtllm, vllm or sglang; None takes their median.
        warm: The cache of this layer lies in L2, as in a loop over one call; not so in a model.

    Raises:
        InputError: A format or engine that nobody measured, or a GPU without a BF16 peak.
    """
    kernel, measured = constants_of(gpu, DECODE)
    chosen = engine_constants(kernel.engines, engine, gpu)
    stored = cache_value_bytes(cache_format)
    shape = decode_shape(batch, context, heads, stored)
    terms = decode_terms(gpu, shape, kernel, chosen, warm=warm)
    return banded(terms, kernel, engine, measured=measured)


def prefill_shape(
    batch: ArrayLike,
    length: ArrayLike,
    keys: ArrayLike,
    heads: ArrayLike,
    cache_bytes: ArrayLike,
    engine: PrefillEngine,
) -> AttentionShape:
    """
    MLA as attention whose keys and values have one width, the mean of theirs.

    Unpacked, every head has its own of 192 and 128; absorbed, all heads share 576 and 512.
    """
    shared = (2 * LATENT + ROPE) / 2
    own = (NOPE + ROPE + VALUE) / 2
    width, kv_heads = (shared, 1) if engine.absorbs else (own, heads)
    narrow = bool(np.all(np.asarray(cache_bytes) < ACTIVATION_BYTES))
    return attention_shape(
        batch,
        length,
        keys,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=width,
        cache_bytes=cache_bytes,
        fp8_products=narrow,
    )


def decode_shape(
    batch: ArrayLike, context: ArrayLike, heads: ArrayLike, cache_bytes: ArrayLike
) -> AttentionShape:
    """A KV head whose keys and values together are the latent and the rotated part."""
    width = (LATENT + ROPE) / 2
    return attention_shape(
        batch, 1, context, heads=heads, kv_heads=1, head_dim=width, cache_bytes=cache_bytes
    )
