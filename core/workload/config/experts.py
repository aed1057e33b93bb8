"""The experts of a mixture that a config.json describes."""

from dataclasses import dataclass

from core.checks import InputError
from core.workload.config.families import Family
from core.workload.config.keys import Keys


@dataclass(frozen=True, slots=True)
class Experts:
    """Routed experts, shared ones (in widths of an expert), active ones, and the width of one."""

    routed: int = 0
    shared: int = 0
    active: int = 0
    width: int | None = None


def read_experts(keys: Keys, family: Family) -> Experts:
    """The experts of a config; none where it names none. InputError where its numbers contradict."""
    spellings = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
    experts = keys.count(*spellings, default=0, least=0)
    if not experts:
        return Experts()
    active = keys.count("num_experts_per_tok", "experts_per_token", "moe_topk", "moe_k")
    if active > experts:
        message = f"config: num_experts_per_tok {active} exceeds the {experts} experts"
        raise InputError(message)
    width = keys.count(*family.expert_width)
    shared_width = keys.count("shared_expert_intermediate_size", default=0, least=0)
    if not shared_width:
        spellings = ("n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts")
        shared = keys.count(*spellings, default=family.shared, least=0)
        return Experts(experts, shared, active, width)
    if shared_width % width:
        message = f"config: shared_expert_intermediate_size {shared_width} is no multiple of {width}"
        raise InputError(message)
    return Experts(experts, shared_width // width, active, width)


def count_moe_layers(keys: Keys, layers: int) -> int:
    """Layers that route: after the dense ones, every Nth, without those listed as plain."""
    first = keys.count("first_k_dense_replace", "moe_layer_start_index", default=0, least=0)
    step = keys.count("decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval", default=1)
    plain = keys.any("mlp_only_layers", [])
    if not isinstance(plain, list) or not all(isinstance(layer, int) for layer in plain):
        message = f"config: mlp_only_layers is a list of layer numbers, not {plain!r:.40}"
        raise InputError(message)
    listed = set(plain)
    frequency = keys.any("moe_layer_freq", 1)
    if isinstance(frequency, list):
        return sum(1 for routed in frequency[:layers] if routed)
    return sum(1 for n in range(first, layers) if (n + 1) % step == 0 and n not in listed)
