"""What a call of attention is given, and the seconds it is made of."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats
from core.errors import InputError

ACTIVATION_BYTES = 2
"""Of queries, outputs, and of keys and values before they are cached."""
KEY_TILE = 64
"""Keys that a thread block of attention takes at once."""


@dataclass(frozen=True, slots=True)
class AttentionShape:
    """
    One layer's attention on one GPU; arrays broadcast.

    Attributes:
        batch: Sequences.
        queries: New tokens of each sequence (1 in decode).
        keys: Tokens that the last query attends to, without a window.
        window: Tokens that a query looks back; infinite without a sliding window.
        cache_bytes: Bytes of a value of the KV cache.
        fp8_products: Whether queries and probabilities are multiplied in FP8.
    """

    batch: Floats
    queries: Floats
    keys: Floats
    heads: Floats
    kv_heads: Floats
    head_dim: Floats
    window: Floats
    cache_bytes: Floats
    fp8_products: bool = False


def positive(name: str, value: ArrayLike) -> Floats:
    """
    A number or array as floats.

    Raises:
        InputError: One that is not above zero, not finite, or NaN.
    """
    numbers = np.asarray(value, dtype=float)
    valid = np.isfinite(numbers) & (numbers > 0)
    if not valid.all():
        message = f"{name}: above zero, not {numbers[~valid].flat[0]:g}"
        raise InputError(message)
    return numbers


def prompt_keys(length: ArrayLike, prefix: ArrayLike) -> Floats:
    """
    Tokens that the last of ``length`` new tokens attends to after a cached prefix.

    Raises:
        InputError: A prefix below zero, not finite, or NaN.
    """
    cached = np.asarray(prefix, dtype=float)
    valid = np.isfinite(cached) & (cached >= 0)
    if not valid.all():
        message = f"prefix: at least 0, not {cached[~valid].flat[0]:g}"
        raise InputError(message)
    return np.asarray(positive("length", length) + cached)


def attention_shape(  # noqa: PLR0913 (a layer has so many figures)
    batch: ArrayLike,
    queries: ArrayLike,
    keys: ArrayLike,
    *,
    heads: ArrayLike,
    kv_heads: ArrayLike,
    head_dim: ArrayLike,
    cache_bytes: ArrayLike,
    window: ArrayLike | None = None,
    fp8_products: bool = False,
) -> AttentionShape:
    """
    The shape of numbers or arrays; no window attends to all.

    Raises:
        InputError: A number that is not above zero, or more KV heads than heads.
    """
    every, shared = positive("heads", heads), positive("kv_heads", kv_heads)
    if np.any(shared > every):
        message = "kv_heads: at most as many as query heads"
        raise InputError(message)
    return AttentionShape(
        batch=positive("batch", batch),
        queries=positive("length", queries),
        keys=positive("context", keys),
        heads=every,
        kv_heads=shared,
        head_dim=positive("head_dim", head_dim),
        window=np.asarray(np.inf) if window is None else _window(window),
        cache_bytes=np.asarray(cache_bytes, dtype=float),
        fp8_products=fp8_products,
    )


def _window(window: ArrayLike) -> Floats:
    """A window above zero; infinite where a layer of the array has none."""
    numbers = np.asarray(window, dtype=float)
    positive("window", np.where(np.isposinf(numbers), 1.0, numbers))
    return numbers


@dataclass(frozen=True, slots=True)
class Terms:
    """Seconds of a call, and of its tensor cores (tiles) and memory, which overlap."""

    time_s: Floats
    compute_s: Floats
    memory_s: Floats


def quickest(calls: Iterable[Terms]) -> Terms:
    """The shortest of calls that do the same work, each element by itself."""
    first, *others = calls
    for other in others:
        shorter = other.time_s < first.time_s
        pairs = (
            (other.time_s, first.time_s),
            (other.compute_s, first.compute_s),
            (other.memory_s, first.memory_s),
        )
        first = Terms(*(np.where(shorter, *pair) for pair in pairs))
    return first
