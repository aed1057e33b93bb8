"""Memory of one GPU, part by part."""

from dataclasses import dataclass

from core.calculators.capacity.scenario import Scenario
from core.workload import Model
from core.workload.transformer import (
    Parameters,
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


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of one part on the fullest GPU."""

    name: str
    bytes: float
    kind: str
    """``sharded`` (divided over the group), ``replicated``, ``cache``, ``working`` or ``reserve``."""


def weights(scenario: Scenario, model: Model | None, whole: float) -> list[Part]:
    """Weights of one GPU by part; an override of ``params`` scales the parts of the shape."""
    tp, stage = scenario.attention_tp, _fullest_stage(scenario, model)
    if model is None:
        group = tp * scenario.pp
        spread = scenario.used_gpus if scenario.dp is None else group
        return [Part("weights", whole / spread, "sharded")]
    counted = parameters(model)
    size = scenario.weights.bytes_per_value * (scenario.values / counted.total)
    replicated = counted.attention_replicated + duplicated_kv_values(model, tp)
    divided = counted.attention - counted.attention_replicated + counted.state + counted.norms
    divided += counted.dense_mlp + counted.shared_experts + counted.router
    shared = "attention, state, MLP, shared experts" if counted.state else SHARED
    parts = [
        Part(shared, size * divided / tp * stage, "sharded"),
        Part("embedding and head", size * _ends(scenario, counted) / tp, "sharded"),
    ]
    if replicated:
        parts.append(Part("replicated attention", size * replicated * stage, "replicated"))
    if model.moe:
        parts.append(
            Part("experts", size * expert_values_per_gpu(model, tp, scenario.expert_group) * stage, "sharded")
        )
    return parts


def _fullest_stage(scenario: Scenario, model: Model | None) -> float:
    """Share of the layers in the fullest pipeline stage: 7 of 32 where 5 stages divide them."""
    if model is None:
        return 1 / scenario.pp
    return -(-model.layers // scenario.pp) / model.layers


def _ends(scenario: Scenario, counted: Parameters) -> float:
    """Values of the embedding and the head: the first stage keeps the one, the last the other."""
    if scenario.pp == 1:
        return float(counted.embedding + counted.head)
    return float(max(counted.embedding, counted.head))


def cache_per_gpu(scenario: Scenario, model: Model | None) -> float:
    """KV cache of one sequence on one GPU of its attention group; stages keep their own layers."""
    if model is None:
        return 0.0
    value = scenario.kv.bytes_per_value
    whole = float(kv_bytes_per_gpu(model, scenario.context, value, scenario.attention_tp))
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
