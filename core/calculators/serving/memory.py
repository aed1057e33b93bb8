"""KV cache of an engine: memory for KV blocks, what a request takes of it, and how many requests run."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.serving.engine import Engine
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import memory_bytes

MEMORY, ENGINE = "memory", "max sequences"


@dataclass(frozen=True, slots=True)
class Cache:
    """
    Memory for the KV cache on one GPU of an attention group.

    Attributes:
        bytes: For KV blocks, after weights and reserve; below 0 where the weights do not fit.
        weight_bytes: Weights.
        request_bytes: Of one request, blocks filled up and as reserved.
        request_tokens: Tokens that a request counts for.
        requests: Concurrent requests of one attention group.
        limit: ``memory`` or ``max sequences``: what one more request exceeds.
    """

    bytes: float
    weight_bytes: float
    request_bytes: float
    request_tokens: float
    requests: int
    limit: str


def cache(scenario: Scenario, engine: Engine, input_tokens: float, output_tokens: float) -> Cache:
    """The KV cache of requests of these lengths; ``requests`` is 0 where none fits."""
    block = engine.pools.block_tokens(scenario.model, scenario.kv.bytes_per_value, scenario.tp)
    tokens = engine.kept_tokens(input_tokens, output_tokens, block)
    length = np.array([float(tokens)])
    weights = first(memory_bytes(_decoding(scenario), np.zeros(1), length, scenario.tp))
    each = first(memory_bytes(_decoding(scenario), np.ones(1), length, scenario.tp)) - weights
    left = engine.memory(scenario.usable).limit_bytes(scenario.system.gpu, weights) - weights
    state = 0.0
    if scenario.model.state is not None:
        state = first(memory_bytes(_decoding(scenario), np.ones(1), np.zeros(1), scenario.tp)) - weights
    held = engine.pools.most_requests(left, each - state, state) if left > 0 else 0
    limit = MEMORY if held < engine.max_sequences else ENGINE
    return Cache(left, weights, each, tokens, int(min(engine.max_sequences, held)), limit)


def _decoding(scenario: Scenario) -> Scenario:
    return replace(scenario, phase="decode", context=None)
