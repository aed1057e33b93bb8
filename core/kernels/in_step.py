"""Kernels as they follow one another in a step: without the launch and wrapper that a call alone pays."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from core.catalog.calibrations.kernels import attention, mla
from core.catalog.calibrations.kernels.gemm import GEMMS
from core.catalog.calibrations.kernels.shapes import DecodeEngine, PrefillEngine
from core.checks import Floats
from core.hardware import Gpu
from core.kernels.bands import engine_constants
from core.kernels.decode import MOST_GROUP, decode_terms
from core.kernels.engine_libraries import step_libraries
from core.kernels.formats import format_on
from core.kernels.gemm import chip
from core.kernels.generation import constants_of
from core.kernels.grouped import Weights
from core.kernels.mla import LATENT, ROPE, decode_shape, prefill_shape
from core.kernels.prefill import prefill_terms
from core.kernels.routed import routed_terms
from core.kernels.routing import Layer, loads
from core.kernels.shapes import Terms, attention_shape
from core.kernels.tiles import Operands, gemm_terms

LIBRARY = "trtllm"
"""Whose kernels a step runs: those that serving overheads were fitted with."""
SCALED_APART = ("fp8-block",)
"""Formats whose activations no norm or activation function rounds: each block of them has its own scale."""
_E = TypeVar("_E", PrefillEngine, DecodeEngine)


@dataclass(frozen=True, slots=True)
class Sequences:
    """
    Sequences of one attention call; arrays that broadcast, all above zero.

    Attributes:
        count: Sequences.
        new: New tokens of each.
        context: Tokens that the last of them attends to.
    """

    count: Floats
    new: Floats
    context: Floats


@dataclass(frozen=True, slots=True)
class Heads:
    """
    Heads of one layer on one GPU.

    Attributes:
        latent: Values that MLA caches of a token; None where every KV head has its own keys and values.
    """

    queries: float
    kv: float
    width: float
    cache_bytes: float
    window: float | None = None
    latent: float | None = None


def _library(engines: Mapping[str, _E]) -> _E:
    """The constants of the library whose kernels a step runs; the median of all where it was not measured."""
    return engine_constants(engines, LIBRARY if LIBRARY in engines else None)


def gemms(gpu: Gpu, arithmetic: str, weight_bytes: float, m: ArrayLike, n: ArrayLike, k: ArrayLike) -> Terms:
    """
    Products whose activations arrive rounded, as norms and activation functions put them out.

    Args:
        gpu: Of the catalog or one's own.
        arithmetic: The format multiplied in, one of ``core.kernels.formats.FORMATS``.
        weight_bytes: Of a weight as it is read: fewer where it is widened in the kernel.
        m: Tokens, at least 1.
        n: Output features of this GPU, at least 1.
        k: Input features of this GPU, at least 1.
    """
    entry, peak = format_on(gpu, arithmetic)
    fitted, _ = constants_of(gpu, GEMMS[entry.constants])
    kernel = fitted.of(LIBRARY)
    if entry.name not in SCALED_APART:
        kernel = kernel.without_rounding()
    rows, columns, depth = np.broadcast_arrays(*(np.asarray(size, np.float64) for size in (m, n, k)))
    once = np.full_like(rows, np.inf)
    work = Operands(rows, columns, depth, weight_bytes, entry.activation_bytes, once)
    terms = gemm_terms(chip(gpu, peak, kernel), kernel, work)
    return Terms(terms.time_s - kernel.start_s - kernel.wave_s, terms.math_s, terms.memory_s)


def routed_mlp(
    gpu: Gpu,
    number_format: str,
    weight_bytes: float,
    layer: Layer,
    routing: str,
    *,
    gated: bool,
    dispatched: bool,
    library: str = LIBRARY,
) -> Terms:
    """
    One layer's routing, grouped products and sum over experts on the busiest GPU.

    Args:
        gpu: Of the catalog or one's own.
        number_format: The format multiplied in, one of ``core.kernels.formats.FORMATS``.
        weight_bytes: Of a weight as it is read: fewer where it is widened in the kernel.
        layer: Sizes of the layer and its tokens.
        routing: One of ``core.kernels.routing.ROUTINGS``.
        gated: Three matrices (SwiGLU) or two.
        dispatched: Tokens come from an exchange, which leaves each GPU its own copies; else it has all.
        library: Whose kernels: an engine of ``core.kernels.gemm.ENGINES``.
    """
    entry, peak = format_on(gpu, number_format)
    libraries = step_libraries(gpu, entry.routed, library)
    gates = np.full_like(layer.tokens, 1.0 + gated)
    weights = Weights(weight_bytes, entry.activation_bytes, gates)
    machine = replace(chip(gpu, peak, constants_of(gpu, GEMMS["bf16"])[0]), flop_per_s=peak, cache_bytes=0.0)
    routed = loads(layer, routing)
    here = replace(layer, tokens=routed.copies / layer.top_k) if dispatched else layer
    terms = routed_terms(machine, libraries, library, here, routed, weights)
    return Terms(terms.time_s, terms.math_s, terms.memory_s)


def prefill_attention(gpu: Gpu, sequences: Sequences, heads: Heads) -> Terms:
    """Causal attention of new tokens, many of each sequence."""
    kernel, _ = constants_of(gpu, mla.PREFILL if heads.latent else attention.PREFILL)
    engine = _library(kernel.engines)
    sizes = sequences.count, sequences.new, sequences.context
    if heads.latent is None:
        shape = attention_shape(*sizes, heads=heads.queries, kv_heads=heads.kv, head_dim=heads.width,
                                cache_bytes=heads.cache_bytes, window=heads.window)  # fmt: skip
    else:
        shape = prefill_shape(*sizes, heads.queries, heads.cache_bytes, engine)
    terms = prefill_terms(gpu, shape, kernel, engine)
    return replace(terms, time_s=terms.time_s - engine.launch_s)


def decode_attention(gpu: Gpu, sequences: Sequences, heads: Heads) -> Terms:
    """
    Attention of one new token of each sequence, or of a few: each counts as more queries of its head.

    Its arithmetic counts as none: no peak of the GPU bounds it.
    """
    kernel, _ = constants_of(gpu, mla.DECODE if heads.latent else attention.DECODE)
    engine = _library(kernel.engines)
    queries = heads.queries * sequences.new
    if heads.latent is None:
        queries = np.minimum(queries, max(heads.queries, MOST_GROUP * heads.kv))
        sizes = sequences.count, 1.0, sequences.context
        shape = attention_shape(*sizes, heads=queries, kv_heads=heads.kv, head_dim=heads.width,
                                cache_bytes=heads.cache_bytes, window=heads.window)  # fmt: skip
    else:
        shape = decode_shape(sequences.count, sequences.context, queries, heads.cache_bytes)
        shape = replace(shape, head_dim=shape.head_dim * heads.latent / (LATENT + ROPE))
    terms = decode_terms(gpu, shape, kernel, engine)
    nothing = np.zeros_like(terms.memory_s)
    return Terms(terms.time_s - engine.launch_s, nothing, terms.memory_s)
