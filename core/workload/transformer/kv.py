"""The KV cache: bytes by attention kind, by window and by tensor-parallel degree."""

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats
from core.workload import Attention, Model
from core.workload.transformer.parameters import shape


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


def kv_bytes_per_token(model: Model, bytes_per_value: float) -> float:
    """Cached bytes of one token in all layers, windows ignored: the figure models are quoted by."""
    return float(model.layers * values_per_token_and_layer(model) * bytes_per_value)


def cached_layer_tokens(model: Model, context: ArrayLike) -> Floats:
    """Tokens kept, summed over layers: windowed layers keep at most their window."""
    tokens = np.asarray(context, np.float64)
    full = model.layers - model.window_layers
    windowed = model.window_layers * np.minimum(tokens, model.window or np.inf)
    return full * tokens + (windowed if model.window_layers else 0.0)


def kv_bytes(model: Model, context: ArrayLike, bytes_per_value: float) -> Floats:
    """Cached bytes of one sequence of ``context`` tokens, whole (not divided by TP)."""
    return cached_layer_tokens(model, context) * values_per_token_and_layer(model) * bytes_per_value


def kv_bytes_per_gpu(model: Model, context: ArrayLike, bytes_per_value: float, tp: ArrayLike) -> Floats:
    """Cached bytes of one sequence on each of ``tp`` GPUs."""
    return cached_layer_tokens(model, context) * values_per_token_and_layer(model, tp) * bytes_per_value


def kv_copies(model: Model, tp: int) -> float:
    """How many times ``tp`` GPUs keep the cache between them; 1 where nobody knows its shape."""
    if model.attention is not Attention.MLA and not model.kv_heads:
        return 1.0
    return float(tp * values_per_token_and_layer(model, tp) / values_per_token_and_layer(model))


def attended_tokens(model: Model, before: ArrayLike, new: ArrayLike) -> Floats:
    """
    Tokens that one new token looks back on (itself included), summed over layers.

    The mean over the new tokens; causal, windowed layers at most their window.

    Args:
        model: The shape.
        before: Tokens cached before this step.
        new: New tokens of a sequence in this step, at least 1.
    """
    start = np.asarray(before, np.float64)
    count = np.asarray(new, np.float64)
    mean = start + (count + 1) / 2
    full = (model.layers - model.window_layers) * mean
    if not model.window_layers or model.window is None:
        return full
    return full + model.window_layers * _windowed_mean(start, count, float(model.window))


def _windowed_mean(start: Floats, count: Floats, window: float) -> Floats:
    """Mean of min(position, window) over positions start+1 ... start+count."""
    rising = np.clip(window - start, 0.0, count)
    below = rising * start + rising * (rising + 1) / 2
    return (below + (count - rising) * window) / count
