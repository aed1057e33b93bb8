"""Values that one GPU holds where they do not divide evenly: whole expert slots, KV heads and groups."""

from core.workload import Attention, Model
from core.workload.transformer.experts import slots
from core.workload.transformer.parameters import parameters


def expert_values_per_gpu(model: Model, tp: int, ep: int) -> float:
    """
    Values of experts on one GPU: whole slots, redundant ones included; sliced inside a slot by TP.

    Args:
        model: With experts, or none (then nothing is held).
        tp: GPUs that share a layer; they slice the experts where ``ep`` is 1.
        ep: GPUs that share the experts.
    """
    counted = parameters(model)
    if ep == 1 or not model.experts:
        return counted.experts / tp
    expert_params = counted.experts / model.experts
    return expert_params * slots(model.experts, ep).per_gpu / max(1, tp // ep)


def duplicated_kv_values(model: Model, tp: int) -> float:
    """Values of KV projections, and of groups of a state, held beyond an even share over ``tp`` GPUs."""
    counted = parameters(model)
    heads = 0 if model.attention is Attention.MLA else model.kv_heads or 0
    groups = model.state.groups if model.state else 0
    return counted.key_value * _beyond(heads, tp) + counted.state_groups * _beyond(groups, tp)


def _beyond(parts: int, tp: int) -> float:
    """Share that a GPU keeps above 1 / ``tp`` where whole parts are laid over the GPUs."""
    return max(0.0, max(1, -(-parts // tp)) / parts - 1 / tp) if parts else 0.0
