"""Seconds of a routed MLP on the busiest GPU of its group."""

from dataclasses import fields

import numpy as np
from numpy.typing import ArrayLike

from core.catalog.calibrations.kernels.moe import MOE, MOE_BANDS
from core.catalog.calibrations.kernels.moe_constants import EngineKernels, RoutedKernel
from core.checks import choice
from core.errors import InputError
from core.hardware import Gpu
from core.kernels.formats import format_on
from core.kernels.gemm import ENGINES, banded
from core.kernels.generation import constants_of, multiprocessors
from core.kernels.grouped import Weights, grouped_terms
from core.kernels.result import KernelTime
from core.kernels.routing import ROUTINGS, UNIFORM, Layer, is_whole, loads
from core.kernels.tiles import Chip

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
        engine: trtllm, sglang or vllm; None takes trtllm where it was measured, else the mean.

    Raises:
        InputError: A size below 1, a format, routing or engine that is unknown, a GPU without a matrix peak.
    """
    choice("routing", routing, ROUTINGS)
    if engine is not None:
        choice("engine", engine, ENGINES)
    layer = _layer(tokens, hidden, width, top_k, experts, ep, tp)
    entry, peak = format_on(gpu, number_format)
    kernel, measured = constants_of(gpu, MOE[entry.routed])
    chip = Chip(multiprocessors(gpu), peak, gpu.memory_rate.bytes_per_s, 0.0)
    weights = Weights(entry.weight_bytes, entry.activation_bytes, np.full_like(layer.tokens, 1.0 + gated))
    terms = grouped_terms(chip, kernel, engine_of(kernel, engine), layer, loads(layer, routing), weights)
    return banded(gpu, MOE_BANDS[entry.routed], terms, measured=measured)


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


def engine_of(kernel: RoutedKernel, engine: str | None) -> EngineKernels:
    """The kernels of an engine, of None TensorRT-LLM's; the mean where it was not measured."""
    name = engine or DEFAULT_ENGINE
    if name in kernel.engines:
        return kernel.engines[name]
    every = list(kernel.engines.values()) or [EngineKernels()]
    means = (float(np.mean([getattr(entry, item.name) for entry in every])) for item in fields(EngineKernels))
    return EngineKernels(*means)
