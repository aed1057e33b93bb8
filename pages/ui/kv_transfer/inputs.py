"""Inputs of the page KV cache transfer."""

from collections.abc import Callable
from dataclasses import dataclass

from core.catalog import PRECISIONS
from core.workload import Model, Precision
from pages.ui.shared import bound, shape


@dataclass(frozen=True, slots=True)
class CacheQuery:
    """The KV cache of one request: its model, context length in tokens, precisions and GPUs (TP)."""

    model: Callable[[], Model | None]
    context: int
    kv: Precision
    weights: Precision
    gpus: int


def query() -> CacheQuery:
    """The widgets of the cache."""
    model, _ = shape.choose("kv_model", "llama-3.1-70b", shaped=True)
    context = bound.number("Context length (tokens)", "kv_tokens", 32768, low=1, step=1024)
    kv = bound.choice("KV cache precision", "kv_format", PRECISIONS, "bf16")
    weights = bound.choice("Weight precision", "kv_weights", PRECISIONS, "bf16")
    gpus = bound.number(
        "GPUs holding the cache (TP)", "kv_gpus", 8, low=1, step=1, help="They also recompute it."
    )
    return CacheQuery(model, context, PRECISIONS[kv], PRECISIONS[weights], gpus)
