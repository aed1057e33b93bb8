"""What a sequence keeps: KV cache by attention kind, window and TP degree; state that no context grows."""

import math

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats
from core.workload import Attention, Model
from core.workload.transformer.parameters import shape

INDEX_BLOCK = 128
"""Values of an index key that share one scale."""
INDEX_SCALE_BYTES = 4
"""Of that scale, in FP32."""


def kv_heads_per_gpu(model: Model, tp: ArrayLike) -> Floats:
    """KV heads that one of ``tp`` GPUs keeps: never less than one, so more GPUs than heads copy."""
    kv_heads = shape(model, "kv_heads")[0]
    return np.maximum(1.0, np.ceil(kv_heads / np.asarray(tp, np.float64)))


def values_per_token_and_layer(model: Model, tp: ArrayLike = 1) -> Floats:
    """Cached values of one token in one layer on one GPU; MLA's latent is not divided by TP."""
    if model.attention is Attention.MLA:
        latent, rope = shape(model, "kv_lora_rank", "rope_dim")
        return np.full_like(np.asarray(tp, np.float64), latent + rope)
    head_dim = shape(model, "head_dim")[0]
    value = model.value_head_dim or head_dim
    return kv_heads_per_gpu(model, tp) * (head_dim + value)


def index_bytes_per_token(model: Model) -> float:
    """Cached bytes of the indexer's key of one token, all layers: a byte a value, a scale a block."""
    if model.indexer is None:
        return 0.0
    width = model.indexer.head_dim
    return model.indexer.layers * (width + INDEX_SCALE_BYTES * -(-width // INDEX_BLOCK))


def kv_bytes_per_token(model: Model, bytes_per_value: float) -> float:
    """Cached bytes of one token in all layers, windows ignored: the figure models are quoted by."""
    values = model.attention_layers * values_per_token_and_layer(model)
    return float(values * bytes_per_value + index_bytes_per_token(model))


def cached_layer_tokens(model: Model, context: ArrayLike) -> Floats:
    """Tokens kept, summed over layers: windowed layers keep at most their window."""
    tokens = np.asarray(context, np.float64)
    full = model.attention_layers - model.window_layers
    windowed = model.window_layers * np.minimum(tokens, model.window or np.inf)
    return full * tokens + (windowed if model.window_layers else 0.0)


def kv_bytes(model: Model, context: ArrayLike, bytes_per_value: float) -> Floats:
    """Cached bytes of one sequence of ``context`` tokens, whole (not divided by TP)."""
    return kv_bytes_per_gpu(model, context, bytes_per_value, 1)


def kv_bytes_per_gpu(model: Model, context: ArrayLike, bytes_per_value: float, tp: ArrayLike) -> Floats:
    """Cached bytes of one sequence on each of ``tp`` GPUs."""
    kept = cached_layer_tokens(model, context) * values_per_token_and_layer(model, tp) * bytes_per_value
    return kept + index_bytes_per_token(model) * np.asarray(context, np.float64)


def kv_read_bytes(
    model: Model, context: ArrayLike, new: ArrayLike, bytes_per_value: float, tp: ArrayLike
) -> Floats:
    """
    Bytes of one sequence's cache that a step reads on each of ``tp`` GPUs.

    All of it; with an indexer a decode step reads every index key and the picked tokens alone.
    """
    length = np.asarray(context, np.float64)
    if model.indexer is None:
        return kv_bytes_per_gpu(model, length, bytes_per_value, tp)
    picked = np.where(np.asarray(new) > 1, length, np.minimum(length, model.indexer.tokens))
    kept = model.attention_layers * picked * values_per_token_and_layer(model, tp) * bytes_per_value
    return kept + index_bytes_per_token(model) * length


def state_bytes(model: Model) -> float:
    """Bytes of one sequence's state and convolution inputs in all layers, whatever its context."""
    return float(state_bytes_per_gpu(model, 1))


def state_bytes_per_gpu(model: Model, tp: ArrayLike) -> Floats:
    """The same on each of ``tp`` GPUs: whole heads and whole groups."""
    degree = np.asarray(tp, np.float64)
    state = model.state
    if state is None:
        return np.zeros_like(degree)
    heads = np.maximum(1.0, np.ceil(state.heads / degree))
    groups = np.maximum(1.0, np.ceil(state.groups / degree)) if state.groups else 0.0
    channels = heads * state.value_dim + 2 * groups * state.key_dim
    kept = max(0, state.conv_kernel - 1) * channels * state.conv_value_bytes
    return state.layers * (heads * state.head_values * state.state_value_bytes + kept)


def state_page_tokens(model: Model, bytes_per_value: float, tp: int) -> int:
    """Tokens whose keys and values of a layer fill the page of a layer's state on a GPU; 1 without both."""
    if model.state is None or not model.attention_layers:
        return 1
    page_bytes = float(state_bytes_per_gpu(model, tp)) / model.state.layers
    token_bytes = float(values_per_token_and_layer(model, tp)) * bytes_per_value
    return max(1, math.ceil(page_bytes / token_bytes))


def cache_bytes_per_gpu(model: Model, context: ArrayLike, bytes_per_value: float, tp: ArrayLike) -> Floats:
    """KV cache and state of one sequence on each of ``tp`` GPUs."""
    return kv_bytes_per_gpu(model, context, bytes_per_value, tp) + state_bytes_per_gpu(model, tp)


def kv_copies(model: Model, tp: int) -> float:
    """How many times ``tp`` GPUs keep the cache between them; 1 where nobody knows its shape."""
    if model.attention is not Attention.MLA and not model.kv_heads:
        return 1.0
    return float(tp * values_per_token_and_layer(model, tp) / values_per_token_and_layer(model))


def attended_tokens(model: Model, before: ArrayLike, new: ArrayLike) -> Floats:
    """
    Tokens that one new token looks back on (itself included), summed over layers.

    The mean over the new tokens; causal, windowed layers at most their window, sparse ones what their
    indexer picks.

    Args:
        model: The shape.
        before: Tokens cached before this step.
        new: New tokens of each request, at least 1.
    """
    start = np.asarray(before, np.float64)
    count = np.asarray(new, np.float64)
    mean = start + (count + 1) / 2
    full = (model.attention_layers - model.window_layers) * mean
    if model.indexer is not None:
        return model.attention_layers * _windowed_mean(start, count, float(model.indexer.tokens))
    if not model.window_layers or model.window is None:
        return full
    return full + model.window_layers * _windowed_mean(start, count, float(model.window))


def _windowed_mean(start: Floats, count: Floats, window: float) -> Floats:
    """Mean of min(position, window) over positions start+1 ... start+count."""
    rising = np.clip(window - start, 0.0, count)
    below = rising * start + rising * (rising + 1) / 2
    return (below + (count - rising) * window) / count
