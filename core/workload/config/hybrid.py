"""Families whose layers differ: state space or linear attention beside attention, and sparse attention."""

from typing import Any

from core.checks import InputError
from core.workload import Indexer
from core.workload.config.families import Family
from core.workload.config.keys import MOST_LAYERS, Keys
from core.workload.config.mixers import Mixers, Sizes
from core.workload.config.state_layers import gated_delta, kimi_delta, lightning, mamba, mamba2

Values = dict[str, Any]

MAMBA_BLOCK, ATTENTION_BLOCK, MLP_BLOCK, MOE_BLOCK = "M*-E"
"""Letters of Nemotron-H's pattern: each layer is one block."""
BLOCK_NAMES = {"mamba": MAMBA_BLOCK, "attention": ATTENTION_BLOCK, "mlp": MLP_BLOCK, "moe": MOE_BLOCK}


def _pattern(values: Values) -> str:
    """Nemotron-H's layers, a letter each."""
    pattern = values.get("hybrid_override_pattern")
    names = values.get("layers_block_type")
    if pattern is None and isinstance(names, list):
        pattern = "".join(BLOCK_NAMES.get(str(name), "?") for name in names)
    if not isinstance(pattern, str) or not set(pattern) <= set(BLOCK_NAMES.values()):
        message = f"config: hybrid_override_pattern has the letters M, *, - and E alone, not {pattern!r:.40}"
        raise InputError(message)
    return pattern


def _nemotron_h(values: Values) -> Values:
    """The pattern decides how many layers there are and which of them route."""
    pattern = _pattern(values)
    config = {"head_dim": values.get("attention_head_dim"), **values, "num_hidden_layers": len(pattern)}
    config["moe_layer_freq"] = [int(block == MOE_BLOCK) for block in pattern]
    shared = values.get("moe_shared_expert_intermediate_size")
    return config | {"shared_expert_intermediate_size": shared} if MOE_BLOCK in pattern and shared else config


def _nemotron_h_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    pattern = _pattern({name: keys.any(name) for name in ("hybrid_override_pattern", "layers_block_type")})
    states, attention = pattern.count(MAMBA_BLOCK), pattern.count(ATTENTION_BLOCK)
    correction = keys.count("n_routed_experts", default=0, least=0) * pattern.count(MOE_BLOCK)
    return Mixers(
        without_attention=layers - attention,
        without_mlp=states + attention,
        state=mamba2(keys, states, sizes.hidden) if states else None,
        expert_hidden=keys.maybe("moe_latent_size"),
        extra=correction,
    )


def _kinds(keys: Keys, name: str, layers: int) -> list[Any] | None:
    """A list with the kind of each layer, None where there is none."""
    kinds = keys.any(name)
    if not isinstance(kinds, list):
        return None
    if len(kinds) != layers:
        message = f"config: {name} lists {len(kinds)} layers, and num_hidden_layers is {layers}"
        raise InputError(message)
    return kinds


def _listed(keys: Keys, layers: int, attention: str = "full_attention") -> int:
    """Layers that attend, by the list of kinds or every Nth."""
    kinds = _kinds(keys, "layer_types", layers)
    if kinds is not None:
        return kinds.count(attention)
    return layers // keys.count("full_attention_interval", default=4)


def _granite(values: Values) -> Values:
    """Granite 4: an MLP that all tokens share beside the experts, or alone."""
    shared = values.get("shared_intermediate_size")
    if values.get("num_local_experts"):
        return values | {"shared_expert_intermediate_size": shared}
    return values | {"intermediate_size": shared}


def _granite_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    attention = _listed(keys, layers, "attention")
    states = layers - attention
    return Mixers(without_attention=states, state=mamba2(keys, states, sizes.hidden) if states else None)


def _jamba(values: Values) -> Values:
    """Jamba: experts in every Nth layer from an offset on."""
    if values.get("num_experts") == 1:
        return {name: value for name, value in values.items() if name != "num_experts"}
    keys = Keys(values)
    layers = keys.count("num_hidden_layers", most=MOST_LAYERS)
    period = keys.count("expert_layer_period", default=2)
    offset = keys.count("expert_layer_offset", default=1, least=0)
    return values | {"moe_layer_freq": [int(layer % period == offset) for layer in range(layers)]}


def _jamba_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    period = keys.count("attn_layer_period", default=8)
    offset = keys.count("attn_layer_offset", default=4, least=0)
    attention = sum(1 for layer in range(layers) if layer % period == offset)
    states = layers - attention
    return Mixers(without_attention=states, state=mamba(keys, states, sizes.hidden) if states else None)


def _falcon_h1_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    """Attention and Mamba-2 side by side behind one norm."""
    state = mamba2(keys, layers, sizes.hidden, normed=keys.flag("mamba_rms_norm"))
    inner = keys.count("mamba_d_ssm", default=state.heads * state.value_dim)
    if inner != state.heads * state.value_dim:
        message = (
            f"config: mamba_d_ssm {inner} is not mamba_n_heads {state.heads} x mamba_d_head {state.value_dim}"
        )
        raise InputError(message)
    return Mixers(state=state, extra=-layers * sizes.hidden)


def _qwen3_next_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    """Three layers of gated delta net to one of gated attention with norms of queries and keys."""
    attention = _listed(keys, layers)
    states = layers - attention
    gates = layers * sizes.hidden if keys.has("shared_expert_intermediate_size") else 0
    return Mixers(
        without_attention=states,
        state=gated_delta(keys, states, sizes.hidden) if states else None,
        gated_attention=keys.flag("attn_output_gate", default=True),
        extra=gates + attention * 2 * sizes.head_dim,
    )


def _minimax_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    """Lightning attention in most layers: 0 in the list, 1 for softmax."""
    named = _kinds(keys, "layer_types", layers)
    numbered = (_kinds(keys, name, layers) for name in ("attn_type_list", "decoder_attention_types"))
    kinds = next((numbers for numbers in numbered if numbers is not None), None)
    if named is not None:
        attention = named.count("full_attention")
    elif kinds is not None:
        attention = kinds.count(1)
    else:
        message = "config: attn_type_list is missing; it is needed to tell lightning attention from attention"
        raise InputError(message)
    states = layers - attention
    state = lightning(keys, states, sizes.hidden, sizes.heads, sizes.head_dim) if states else None
    return Mixers(without_attention=states, state=state)


def _bailing_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    """Ling and Ring linear: lightning attention in groups that a layer of attention ends, as do the rest."""
    group = keys.count("layer_group_size")
    attention = layers // group + layers % group
    states = layers - attention
    state = lightning(keys, states, sizes.hidden, sizes.heads, sizes.head_dim) if states else None
    norms = layers * 2 * sizes.head_dim if keys.flag("use_qk_norm") else 0
    correction = keys.count("num_experts", default=0, least=0) * layers
    return Mixers(without_attention=states, state=state, extra=norms + correction)


def _kimi_linear(values: Values) -> Values:
    """Kimi Linear nests its linear attention."""
    inner = values.get("linear_attn_config")
    if not isinstance(inner, dict):
        message = "config: linear_attn_config is an object with kda_layers and full_attn_layers"
        raise InputError(message)
    unsupported = next((key for key in KIMI_UNSUPPORTED if values.get(key) or inner.get(key)), None)
    if unsupported:
        message = f"config: {unsupported}: weights that are not counted here"
        raise InputError(message)
    return values | {"num_experts_per_tok": values.get("num_experts_per_token")}


KIMI_UNSUPPORTED = (
    "routed_expert_hidden_size",
    "mla_use_output_gate",
    "attn_res_block_size",
    "use_full_rank_gate",
)
"""Keys of later models of this type."""


def _kimi_linear_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    inner = Keys(keys.any("linear_attn_config"))
    attending = inner.any("full_attn_layers")
    if not isinstance(attending, list):
        message = "config: linear_attn_config has no full_attn_layers, a list of layer numbers"
        raise InputError(message)
    if not set(map(str, attending)) <= set(map(str, range(1, layers + 1))):
        message = f"config: full_attn_layers has a number that is none of the {layers} layers"
        raise InputError(message)
    states = layers - len(set(map(str, attending)))
    state = kimi_delta(inner, states, sizes.hidden) if states else None
    correction = keys.count("num_experts", default=0, least=0) * layers
    return Mixers(without_attention=states, state=state, extra=correction)


def _sparse_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    """DeepSeek sparse attention: an indexer's query from the latent, key and head weights from the stream."""
    correction = keys.count("n_routed_experts", default=0, least=0) * layers
    tokens = keys.maybe("index_topk")
    if tokens is None:
        return Mixers(extra=correction)
    heads, width = keys.count("index_n_heads"), keys.count("index_head_dim")
    kinds = keys.any("indexer_types")
    own = sum(1 for kind in kinds[:layers] if kind != "shared") if isinstance(kinds, list) else layers
    query = (keys.maybe("q_lora_rank") or sizes.hidden) * heads * width
    projections = query + sizes.hidden * (width + heads)
    indexer = Indexer(own, heads, width, tokens, projections, vectors=2 * width)
    return Mixers(indexer=indexer, extra=correction)


def _longcat(values: Values) -> Values:
    """
    LongCat: a layer is two of attention and MLP, and experts beside the first MLP, counted as a third.

    A token picks among real experts and those that do nothing: the mean of real ones is active.
    """
    keys = Keys(values)
    layers = keys.count("num_layers", "num_hidden_layers", most=MOST_LAYERS // 3)
    real = keys.count("n_routed_experts")
    nothing = keys.count("zero_expert_num", default=0, least=0)
    picked = keys.count("moe_topk", default=1)
    return values | {
        "num_hidden_layers": 3 * layers,
        "moe_layer_freq": [0, 0, 1] * layers,
        "intermediate_size": values.get("ffn_hidden_size"),
        "moe_intermediate_size": values.get("expert_ffn_hidden_size"),
        "num_experts_per_tok": max(1, round(picked * real / (real + nothing))),
    }


def _longcat_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    """Experts read the normed input of the first MLP; their router scores the empty ones too."""
    each = layers // 3
    empty = keys.count("zero_expert_num", default=0, least=0)
    corrections = keys.count("n_routed_experts") + empty
    extra = each * (empty * sizes.hidden + corrections - sizes.hidden)
    return Mixers(without_attention=each, extra=extra)


HYBRID = {
    "nemotron_h": Family("Nemotron-H", gated=False, adapt=_nemotron_h, mixers=_nemotron_h_mixers),
    "granitemoehybrid": Family(
        "Granite 4",
        expert_width=("intermediate_size",),
        tied=True,
        adapt=_granite,
        mixers=_granite_mixers,
    ),
    "jamba": Family("Jamba", expert_width=("intermediate_size",), adapt=_jamba, mixers=_jamba_mixers),
    "falcon_h1": Family("Falcon-H1", mixers=_falcon_h1_mixers),
    "qwen3_next": Family("Qwen3-Next", mixers=_qwen3_next_mixers),
    "minimax_text_01": Family("MiniMax-Text-01", expert_width=("intermediate_size",), mixers=_minimax_mixers),
    "bailing_moe_linear": Family("Ling linear", mixers=_bailing_mixers),
    "kimi_linear": Family("Kimi Linear", adapt=_kimi_linear, mixers=_kimi_linear_mixers),
    "longcat_flash": Family("LongCat", adapt=_longcat, mixers=_longcat_mixers),
    "deepseek_v32": Family("DeepSeek-V3.2", mixers=_sparse_mixers),
}
HYBRID_ALIASES = {
    "bailing_moe_linear_v2": "bailing_moe_linear",
    "minimax": "minimax_text_01",
    "minimax_m1": "minimax_text_01",
    "glm_moe_dsa": "deepseek_v32",
    "qwen3_5_text": "qwen3_next",
    "qwen3_5": "qwen3_next",
    "qwen3_5_moe_text": "qwen3_next",
    "qwen3_5_moe": "qwen3_next",
}
