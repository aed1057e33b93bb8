"""Attention of one layer on one GPU: prefill by tiles of queries, decode by the KV cache it reads."""

from numpy.typing import ArrayLike

from core.catalog import precision
from core.catalog.calibrations.kernels.attention import DECODE, PREFILL
from core.checks import choice
from core.hardware import Gpu
from core.kernels.bands import banded, engine_constants
from core.kernels.decode import decode_terms
from core.kernels.generation import constants_of
from core.kernels.prefill import prefill_terms
from core.kernels.result import KernelTime
from core.kernels.shapes import attention_shape, prompt_keys

FORMATS = ("bf16", "fp16", "fp8")


def prefill_attention_s(  # noqa: PLR0913 (a layer has so many figures)
    gpu: Gpu,
    cache_format: str,
    batch: ArrayLike,
    length: ArrayLike,
    heads: ArrayLike,
    kv_heads: ArrayLike,
    head_dim: ArrayLike,
    *,
    window: ArrayLike | None = None,
    prefix: ArrayLike = 0,
    fp8_products: bool = False,
    engine: str | None = None,
) -> KernelTime:
    """
    Causal attention over ``length`` new tokens of each of ``batch`` sequences.

    Args:
        gpu: Its peak, memory rate and multiprocessors; constants by its generation.
        cache_format: Of the KV cache: bf16, fp16 or fp8.
        batch: Sequences.
        length: New tokens of each.
        heads: Query heads on this GPU: those of the model over the tensor-parallel degree.
        kv_heads: KV heads on this GPU.
        head_dim: Values of a head.
        window: Tokens of a sliding window; None attends to all.
        prefix: Tokens already in the cache (chunked prefill, prefix cache); not measured, by the formula.
        fp8_products: Whether both products run in FP8.
        engine: trtllm, vllm or sglang; None takes their median.

    Raises:
        InputError: A format or engine that nobody measured, a size that cannot be, or a GPU without a BF16
            peak.
    """
    shape = attention_shape(
        batch,
        length,
        prompt_keys(length, prefix),
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        cache_bytes=cache_value_bytes(cache_format),
        window=window,
        fp8_products=fp8_products,
    )
    kernel, measured = constants_of(gpu, PREFILL)
    chosen = engine_constants(kernel.engines, engine, gpu)
    return banded(prefill_terms(gpu, shape, kernel, chosen), kernel, engine, measured=measured)


def decode_attention_s(  # noqa: PLR0913 (a layer has so many figures)
    gpu: Gpu,
    cache_format: str,
    batch: ArrayLike,
    context: ArrayLike,
    heads: ArrayLike,
    kv_heads: ArrayLike,
    head_dim: ArrayLike,
    *,
    window: ArrayLike | None = None,
    engine: str | None = None,
    warm: bool = False,
) -> KernelTime:
    """
    One decode step: a new token of each of ``batch`` sequences attends to ``context`` tokens.

    Args:
        gpu: Its peak, memory rate and multiprocessors; constants by its generation.
        cache_format: Of the KV cache: bf16, fp16 or fp8.
        batch: Sequences.
        context: Tokens in the cache of each.
        heads: Query heads on this GPU: those of the model over the tensor-parallel degree.
        kv_heads: KV heads on this GPU.
        head_dim: Values of a head.
        window: Tokens of a sliding window; None attends to all.
        engine: trtllm, vllm or sglang; None takes their median.
        warm: The cache of this layer lies in L2, as in a loop over one call; not so in a model.

    Raises:
        InputError: A format or engine that nobody measured, a size that cannot be, or a GPU without a BF16
            peak.
    """
    shape = attention_shape(
        batch,
        1,
        context,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        cache_bytes=cache_value_bytes(cache_format),
        window=window,
    )
    kernel, measured = constants_of(gpu, DECODE)
    chosen = engine_constants(kernel.engines, engine, gpu)
    terms = decode_terms(gpu, shape, kernel, chosen, warm=warm)
    return banded(terms, kernel, engine, measured=measured)


def cache_value_bytes(cache_format: str) -> float:
    """
    Bytes of a cached value.

    Raises:
        InputError: A format whose attention nobody measured.
    """
    return precision(choice("cache_format", cache_format, FORMATS)).bytes_per_value
