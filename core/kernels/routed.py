"""Seconds of a routed MLP on the busiest GPU of its group."""

from dataclasses import fields, replace

import numpy as np
from numpy.typing import ArrayLike

from core.catalog.calibrations.kernels.moe import MOE, MOE_BANDS
from core.catalog.calibrations.kernels.moe_constants import Libraries, RoutedKernel
from core.catalog.calibrations.kernels.unseen import UNSEEN, UNSEEN_ROUTED
from core.checks import choice
from core.errors import InputError
from core.hardware import Gpu
from core.kernels.formats import format_on
from core.kernels.gemm import ENGINES, banded
from core.kernels.generation import constants_of, multiprocessors
from core.kernels.grouped import Weights, grouped_terms
from core.kernels.result import KernelTime
from core.kernels.routing import ROUTINGS, UNIFORM, Layer, Loads, is_whole, loads
from core.kernels.tiles import Chip, GemmTerms

DEFAULT_ENGINE = ENGINES[0]
NAMES = ("tokens", "hidden", "width", "top_k", "experts", "ep", "tp")


def routed_mlp_s(  # noqa: PLR0913 - the sizes of a layer
    gpu: Gpu,
    number_format: str,
    tokens: ArrayLike,
    hidden: ArrayLike,
    width: ArrayLike,
    top_k: ArrayLike,
    experts: ArrayLike,
    *,
    tp: ArrayLike = 1,
    ep: ArrayLike = 1,
    routing: str = UNIFORM,
    gated: bool = True,
    engine: str | None = None,
) -> KernelTime:
    """
    Routing, two grouped products and the sum over experts of one layer, in a CUDA graph.

    No exchange of tokens between GPUs.

    Args:
        gpu: Of the catalog or one's own.
        number_format: One of ``core.kernels.formats.FORMATS``; what the GPU lacks runs as its stand-in.
        tokens: Of the whole group of ``ep`` GPUs.
        hidden: Of the model.
        width: Of one expert, before ``tp`` divides it.
        top_k: Experts of a token.
        experts: Of the layer.
        tp: GPUs that share an expert's width.
        ep: GPUs that share the experts.
        routing: One of ``core.kernels.routing.ROUTINGS``: in turn, at random, or by a power law.
        gated: Three matrices (SwiGLU) or two.
        engine: trtllm, sglang or vllm, at its quickest kernels; None takes trtllm where it was measured,
            else the mean of the others.

    Raises:
        InputError: A size below 1, a format, routing or engine that is unknown, a GPU without a matrix peak.
    """
    choice("routing", routing, ROUTINGS)
    if engine is not None:
        choice("engine", engine, ENGINES)
    layer = _layer(tokens, hidden, width, top_k, experts, ep, tp)
    entry, peak = format_on(gpu, number_format)
    libraries, measured = constants_of(gpu, MOE[entry.routed])
    chip = Chip(multiprocessors(gpu), peak, gpu.memory_rate.bytes_per_s, 0.0)
    weights = Weights(entry.weight_bytes, entry.activation_bytes, np.full_like(layer.tokens, 1.0 + gated))
    terms = routed_terms(chip, libraries, engine, layer, loads(layer, routing), weights)
    own = engine if engine is not None and of_engine(libraries, engine) else None
    bands = replace(MOE_BANDS[entry.routed], unseen=UNSEEN_ROUTED.get(entry.routed, UNSEEN))
    return banded(gpu, bands, terms, measured=measured, engine=own, unseen=engine not in (None, own))


def _layer(*values: ArrayLike) -> Layer:
    """The layer, its sizes checked: those of NAMES."""
    sizes = np.broadcast_arrays(*(np.asarray(value, np.float64) for value in values))
    for name, size in zip(NAMES, sizes, strict=True):
        if not np.all(is_whole(size)):
            message = f"{name}: at least 1"
            raise InputError(message)
    tokens, hidden, width, top_k, experts, ep, tp = sizes
    if np.any((top_k > experts) | (ep > experts)):
        message = "experts: at least as many as experts per token and as GPUs that share them"
        raise InputError(message)
    return Layer(tokens, hidden, width / tp, top_k, experts, ep)


def of_engine(libraries: Libraries, engine: str) -> list[RoutedKernel]:
    """The kernels of an engine, or those of one library of it (``sglang:triton``)."""
    return [kernel for name, kernel in libraries.items() if engine in (name, name.split(":")[0])]


def routed_terms(
    chip: Chip, libraries: Libraries, engine: str | None, layer: Layer, routed: Loads, weights: Weights
) -> GemmTerms:
    """
    The quickest kernels of an engine, of None TensorRT-LLM's.

    Where it was not measured: the geometric mean of the other engines' quickest.
    """
    chosen = of_engine(libraries, engine or DEFAULT_ENGINE)
    if chosen:
        return _quickest(chip, chosen, layer, routed, weights)
    names = sorted({name.split(":")[0] for name in libraries})
    every = [_quickest(chip, of_engine(libraries, name), layer, routed, weights) for name in names]
    columns = ([getattr(terms, item.name) for terms in every] for item in fields(GemmTerms))
    return GemmTerms(*(np.exp(np.mean(np.log(np.maximum(column, 1e-30)), axis=0)) for column in columns))


def _quickest(
    chip: Chip, kernels: list[RoutedKernel], layer: Layer, routed: Loads, weights: Weights
) -> GemmTerms:
    every = [grouped_terms(chip, kernel, layer, routed, weights) for kernel in kernels]
    best = np.argmin([terms.time_s for terms in every], axis=0)[None]
    columns = (np.array([getattr(terms, item.name) for terms in every]) for item in fields(GemmTerms))
    return GemmTerms(*(np.take_along_axis(column, best, 0)[0] for column in columns))
