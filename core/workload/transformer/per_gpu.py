"""Values that one GPU holds where they do not divide evenly: whole expert slots, duplicated KV heads."""

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
    """Values of KV projections held beyond an even share, where KV heads do not divide over ``tp`` GPUs."""
    if model.attention is Attention.MLA or not model.kv_heads:
        return 0.0
    share = max(1, -(-model.kv_heads // tp)) / model.kv_heads
    return parameters(model).key_value * max(0.0, share - 1 / tp)
