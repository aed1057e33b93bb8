"""Memory of one GPU, part by part."""

from dataclasses import dataclass

from core.calculators.capacity.scenario import Scenario
from core.calculators.capacity.weights import weight_bytes
from core.calculators.tensor_parallel.formats import dense_weights, mean_bytes, projection_weights
from core.workload import Model
from core.workload.transformer import (
    duplicated_kv_values,
    expert_values_per_gpu,
    kv_bytes_per_gpu,
    parameters,
    state_bytes_per_gpu,
)

ACTIVATION_COPIES = 4
"""Buffers of the residual stream alive at once: input, residual, attention or MLP output, gathered."""

SHARED = "attention, dense MLP, shared experts"
"""Name of what every token meets in the layers."""

EXPERTS = "experts"


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of one part on the fullest GPU."""

    name: str
    bytes: float
    kind: str
    """``sharded`` (divided over the group), ``replicated``, ``cache``, ``working`` or ``reserve``."""


def copy_bytes(scenario: Scenario, model: Model | None) -> float:
    """Weights of one copy of the model as its format stores them."""
    if model is None:
        return weight_bytes(scenario.values, scenario.weights)
    return scenario.values * mean_bytes(model, scenario.weights, parameters(model))


def active_bytes(scenario: Scenario, model: Model | None, values: float) -> float:
    """Weights that a token meets, of so many values, as their format stores them."""
    if model is None:
        return weight_bytes(values, scenario.weights)
    return values * mean_bytes(model, scenario.weights, parameters(model), active=True)


def largest_params(scenario: Scenario, model: Model | None) -> float:
    """Parameters that fill what may be used of all GPUs, kept as this model's checkpoint is."""
    size = scenario.weights.bytes_per_value
    if model is not None and model.hidden is not None:
        size = mean_bytes(model, scenario.weights, parameters(model))
    return scenario.used_gpus * scenario.limit_bytes / size


def weights(scenario: Scenario, model: Model | None) -> list[Part]:
    """Weights of one GPU by part; an override of ``params`` scales the parts of the shape."""
    tp, stage = scenario.attention_tp, _fullest_stage(scenario, model)
    if model is None:
        group = tp * scenario.pp
        spread = scenario.used_gpus if scenario.dp is None else group
        return [Part("weights", copy_bytes(scenario, None) / spread, "sharded")]
    counted = parameters(model)
    scale = scenario.values / counted.total
    size = dense_weights(model, scenario.weights).bytes_per_value * scale
    projected = projection_weights(model, scenario.weights).bytes_per_value * scale
    replicated = counted.attention_replicated + duplicated_kv_values(model, tp)
    divided = size * (counted.state + counted.norms)
    divided += size * (counted.dense_mlp + counted.shared_experts + counted.router)
    divided += projected * (counted.attention - counted.attention_replicated)
    shared = "attention, state, MLP, shared experts" if counted.state else SHARED
    parts = [
        Part(shared, divided / tp * stage, "sharded"),
        Part("embedding and head", size * end_values(scenario, model) / tp, "sharded"),
    ]
    if replicated:
        parts.append(Part("replicated attention", projected * replicated * stage, "replicated"))
    if model.moe:
        values = expert_values_per_gpu(model, tp, scenario.expert_group)
        parts.append(Part(EXPERTS, scenario.weights.bytes_per_value * scale * values * stage, "sharded"))
    return parts


def _fullest_stage(scenario: Scenario, model: Model | None) -> float:
    """Share of the layers in the fullest pipeline stage: 7 of 32 where 5 stages divide them."""
    if model is None:
        return 1 / scenario.pp
    return -(-model.layers // scenario.pp) / model.layers


def end_values(scenario: Scenario, model: Model) -> float:
    """Values of the embedding and the head: the first stage keeps the one, the last the other."""
    counted = parameters(model)
    if scenario.pp == 1:
        return float(counted.embedding + counted.head)
    return float(max(counted.embedding, counted.head))


def cache_per_gpu(scenario: Scenario, model: Model | None) -> float:
    """KV cache of one sequence on one GPU of its attention group; stages keep their own layers."""
    if model is None:
        return 0.0
    value, tp = scenario.kv.bytes_per_value, scenario.attention_tp
    block = scenario.pools.block_tokens(model, value, tp)
    whole = float(kv_bytes_per_gpu(model, -(-scenario.context // block) * block, value, tp))
    return whole * _fullest_stage(scenario, model)


def state_per_gpu(scenario: Scenario, model: Model | None) -> float:
    """State of one sequence on one GPU of its attention group, whatever its context."""
    if model is None:
        return 0.0
    return float(state_bytes_per_gpu(model, scenario.attention_tp)) * _fullest_stage(scenario, model)


def working(scenario: Scenario, model: Model | None) -> list[Part]:
    """Activations of the step, where its tokens are known, and the runtime's reserve."""
    parts = []
    if model and model.hidden and scenario.batch_tokens:
        stream = scenario.batch_tokens * model.hidden * scenario.activations.bytes_per_value
        parts.append(Part("activations", stream * ACTIVATION_COPIES, "working"))
    if scenario.reserve_bytes:
        parts.append(Part("runtime reserve", scenario.reserve_bytes, "reserve"))
    return parts
