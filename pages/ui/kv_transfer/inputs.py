"""Inputs of the page KV cache transfer."""

from collections.abc import Callable
from dataclasses import dataclass

from core.workload import Model, Precision
from pages.ui.shared import fields
from pages.ui.shared.layers import with_layers
from pages.ui.shared.question.record import SharedInputs


@dataclass(frozen=True, slots=True)
class CacheQuery:
    """The KV cache of one request: its model, context length in tokens, precisions and GPUs (TP)."""

    model: Callable[[], Model | None]
    context: int
    kv: Precision
    weights: Precision
    gpus: int


def query(shared: SharedInputs) -> CacheQuery:
    """The cache of one request of the question's load, and the widget of the GPUs that hold it."""
    gpus = fields.count("GPUs holding the cache (TP)", "kv_gpus", 8, help="They also recompute it.")
    load = shared.load
    return CacheQuery(lambda: with_layers(shared.model.model), load.tokens, load.kv, load.weights, gpus)
