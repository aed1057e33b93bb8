"""One step in terms: compute, exposed communication, share, speed-up; arrays over tokens and context."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.calculators.tensor_parallel.communication import Exchange, exchange, exposed_s
from core.calculators.tensor_parallel.compute import Compute, compute
from core.calculators.tensor_parallel.formats import stored_bytes
from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import Floats
from core.workload import Model
from core.workload.transformer import (
    cache_bytes_per_gpu,
    duplicated_kv_values,
    expert_values_per_gpu,
    parameters,
)


@dataclass(frozen=True, slots=True)
class StepParts:
    """
    Arrays over a grid of tokens and context, one degree of tensor parallelism.

    Attributes:
        exposed_s: Exposed communication: (1 - overlap) x all of it, and what outlasts compute.
        share: Of the step.
    """

    tp: int
    compute: Compute
    exchange: Exchange
    exposed_s: Floats
    step_s: Floats
    share: Floats


@dataclass(frozen=True, slots=True)
class Terms(StepParts):
    """
    The parts of a step with its interval, rates and memory.

    Attributes:
        low_s, high_s: The step with everything overlapped that can be (the longer of the two), and with
            nothing overlapped (their sum), each at its end of the prediction interval.
        fits: 1 where weights and cache stay within the usable memory, else 0.
    """

    low_s: Floats
    high_s: Floats
    tokens_per_s: Floats
    tokens_per_s_per_gpu: Floats
    memory_bytes: Floats
    fits: Floats


@lru_cache(maxsize=128)
def step(scenario: Scenario, tp: int) -> Terms:
    """
    The scenario's own step at another degree: grids of one cell, remembered.

    Raises:
        InputError: The implementation cannot do it.
    """
    return terms(scenario, np.array([float(scenario.tokens)]), np.array([float(scenario.cached)]), tp)


def step_parts(scenario: Scenario, tokens: Floats, context: Floats, tp: int) -> StepParts:
    """The parts of the steps of a grid; ``tokens`` and ``context`` broadcast."""
    return with_messages(scenario, compute(scenario, tokens, context, tp), tokens, tp)


def with_messages(scenario: Scenario, work: Compute, tokens: Floats, tp: int) -> StepParts:
    """The same from the compute of those steps."""
    compute_s = work.total_s
    messages = exchange(scenario, tokens, tp)
    exposed = exposed_s(scenario, messages.time_s, compute_s)
    step_s = compute_s + exposed
    share = np.divide(exposed, step_s, out=np.zeros(compute_s.shape), where=step_s > 0)
    return StepParts(tp, work, messages, exposed, step_s, share)


def terms(scenario: Scenario, tokens: Floats, context: Floats, tp: int) -> Terms:
    """Evaluate a grid; ``tokens`` and ``context`` broadcast."""
    parts = step_parts(scenario, tokens, context, tp)
    step_s, compute_s, messages = parts.step_s, parts.compute.total_s, parts.exchange
    rate = _tokens_counted(scenario, tokens, tp) / step_s if step_s.size else step_s
    gpus = max(tp, scenario.ep)
    memory = memory_bytes(scenario, tokens, context, tp) + np.zeros(compute_s.shape)
    return Terms(
        tp=tp,
        compute=parts.compute,
        exchange=messages,
        exposed_s=parts.exposed_s,
        step_s=step_s,
        share=parts.share,
        low_s=np.minimum(step_s, np.maximum(compute_s, messages.low_s)),
        high_s=compute_s + messages.high_s,
        tokens_per_s=rate,
        tokens_per_s_per_gpu=rate / gpus,
        memory_bytes=memory,
        fits=(memory <= memory_limit_bytes(scenario, tp)).astype(np.float64),
    )


def _tokens_counted(scenario: Scenario, tokens: Floats, tp: int) -> Floats:
    """Tokens of a step over all attention groups that share the experts."""
    return tokens * max(1.0, scenario.ep / tp)


def memory_bytes(scenario: Scenario, tokens: Floats, context: Floats, tp: int) -> Floats:
    """Weights and cache on one GPU; activations are left to the unusable share."""
    model = scenario.model
    if scenario.params_per_layer is not None or model.hidden is None:
        return weight_bytes(model, scenario, tp) + np.zeros(np.broadcast(tokens, context).shape)
    weights = weight_bytes(model, scenario, tp)
    sequences = tokens if scenario.phase == "decode" else np.maximum(tokens / np.maximum(context, 1), 1)
    cache = cache_bytes_per_gpu(model, context, scenario.kv.bytes_per_value, tp)
    return weights + sequences * cache * (scenario.layer_count / model.layers)


def memory_limit_bytes(scenario: Scenario, tp: int) -> float:
    """What weights and cache may take of one GPU of a group of this degree."""
    return scenario.memory.limit_bytes(scenario.system.gpu, weight_bytes(scenario.model, scenario, tp))


def weight_bytes(model: Model, scenario: Scenario, tp: int) -> float:
    """Weights of a step on one GPU in their format: whole expert slots, KV heads as they are kept."""
    if scenario.params_per_layer is not None or model.hidden is None:
        values = (scenario.params_per_layer or model.params / model.layers) * scenario.layer_count
        return values * scenario.weights.bytes_per_value / tp
    counted = parameters(model)
    depth = scenario.layer_count / model.layers
    projections = (counted.attention - counted.attention_replicated) / tp
    projections += counted.attention_replicated + duplicated_kv_values(model, tp)
    dense = (counted.in_layers - counted.experts - counted.attention) * depth
    dense = (dense + counted.total - counted.in_layers) / tp
    experts = expert_values_per_gpu(model, tp, scenario.ep) * depth
    return stored_bytes(model, scenario.weights, dense, experts, projections * depth)
