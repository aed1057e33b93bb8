"""Families that spell their shape otherwise: GPT-2 and its heirs, Falcon, DBRX, brought to one spelling."""

from typing import Any

from core.checks import InputError
from core.workload.config.families import Family
from core.workload.config.keys import MOST_LAYERS, Keys
from core.workload.config.mixers import Sizes

Values = dict[str, Any]

SPELLED = {
    "hidden_size": ("n_embd", "n_embed", "d_model"),
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers"),
    "num_attention_heads": ("n_head", "n_heads"),
    "intermediate_size": ("n_inner", "ffn_dim", "ffn_hidden_size"),
    "num_key_value_heads": ("kv_n_heads", "multi_query_group_num", "num_kv_heads"),
    "num_experts_per_tok": ("moe_top_k",),
    "num_experts": ("moe_num_experts",),
    "head_dim": ("kv_channels",),
    "vocab_size": ("padded_vocab_size",),
}
"""The common name of a size and what these families call it."""


def respelled(values: Values) -> Values:
    """The same config under the common names; nested parts flat; an MLP is four widths unless told."""
    flat = dict(values)
    for name in ("attn_config", "ffn_config"):
        inner = flat.pop(name, {})
        if not isinstance(inner, dict):
            message = f"config: {name} is an object with sizes in it, not {inner!r:.40}"
            raise InputError(message)
        flat |= {key: value for key, value in inner.items() if key in _ALL}
    for name, others in SPELLED.items():
        value = next((flat.pop(other) for other in others if flat.get(other) is not None), None)
        if flat.get(name) is None and value is not None:
            flat[name] = value
        for other in others:
            flat.pop(other, None)
    width, ratio = flat.get("hidden_size"), flat.pop("expansion_ratio", 4)
    if flat.get("intermediate_size") is None and isinstance(width, int) and isinstance(ratio, int):
        flat["intermediate_size"] = ratio * width
    return flat


_ALL = {other for others in SPELLED.values() for other in others}


def _one_kv_head(values: Values) -> Values:
    """GPT-BigCode: one key and value head for all queries unless it says otherwise."""
    config = respelled(values)
    return config | {"num_key_value_heads": 1} if config.get("multi_query", True) else config


def _falcon(values: Values) -> Values:
    """Falcon: the old form has one KV head, the new one as many as it says."""
    config = respelled(values)
    old = not config.get("new_decoder_architecture", False)
    return config | {"num_key_value_heads": 1} if old and config.get("multi_query", True) else config


def _chatglm(values: Values) -> Values:
    """ChatGLM names groups of queries only where it has them."""
    if not values.get("multi_query_attention", False):
        values = {**values, "multi_query_group_num": None}
    return respelled(values)


def _half_width(values: Values) -> Values:
    """Qwen 1 states both halves of its gated MLP as one width."""
    config = respelled(values)
    width = config.get("intermediate_size")
    return config | {"intermediate_size": width // 2} if isinstance(width, int) else config


def _step3(values: Values) -> Values:
    """Step-3: one key and value for all heads, queries of low rank, routed layers in a list."""
    listed = values.get("moe_layers_enum") or ()
    numbers = listed.split(",") if isinstance(listed, str) else listed
    layers = Keys(values).count("num_hidden_layers", most=MOST_LAYERS)
    if not all(str(number).strip().isdigit() for number in numbers):
        message = "config: moe_layers_enum is a list of numbers of the num_hidden_layers layers"
        raise InputError(message)
    routed = {int(number) for number in numbers}
    names = {
        "num_key_value_heads": "num_attention_groups",
        "num_experts": "moe_num_experts",
        "num_experts_per_tok": "moe_top_k",
        "shared_expert_intermediate_size": "share_expert_dim",
        "q_lora_rank": "share_q_dim",
    }
    config = values | {name: values.get(other) for name, other in names.items()}
    return config | {"moe_layer_freq": [int(layer in routed) for layer in range(layers)]}


def _opt(values: Values) -> Values:
    """OPT with an embedding of another width has matrices of its own."""
    config = respelled(values)
    narrow = config.get("word_embed_proj_dim")
    if narrow is not None and narrow != config.get("hidden_size"):
        message = f"config: word_embed_proj_dim {narrow!r:.20} differs from hidden_size; not counted here"
        raise InputError(message)
    return config


def _biased(keys: Keys, sizes: Sizes) -> int:
    """Two LayerNorms with biases, and biases of every projection."""
    del keys
    return 3 * sizes.hidden + sizes.qkv


def _falcon_extra(keys: Keys, sizes: Sizes) -> int:
    """One LayerNorm with bias in the old form, two in the new; biases where asked for."""
    norms = 2 * sizes.hidden if keys.flag("new_decoder_architecture") else 0
    return norms + (sizes.qkv + sizes.hidden if keys.flag("bias") else 0)


def _query_norm(keys: Keys, sizes: Sizes) -> int:
    """A norm of the queries' low rank."""
    del sizes
    return keys.count("q_lora_rank")


def _query_bias(keys: Keys, sizes: Sizes) -> int:
    """Biases of query, key and value."""
    del keys
    return sizes.qkv


def _head_norms(keys: Keys, sizes: Sizes) -> int:
    """Norms of one head's query and key."""
    del keys
    return 2 * sizes.head_dim


OLDER = {
    "gpt2": Family(
        "GPT-2",
        _biased,
        tied=True,
        gated=False,
        mlp_biases="always",
        positions="n_positions",
        adapt=respelled,
    ),
    "gpt_bigcode": Family(
        "GPT-BigCode",
        _biased,
        tied=True,
        gated=False,
        mlp_biases="always",
        positions="n_positions",
        adapt=_one_kv_head,
    ),
    "gpt_neox": Family("GPT-NeoX", _biased, gated=False, mlp_biases="always", adapt=respelled),
    "gptj": Family("GPT-J", gated=False, mlp_biases="always", adapt=respelled),
    "opt": Family(
        "OPT",
        _biased,
        tied=True,
        gated=False,
        mlp_biases="always",
        positions="max_position_embeddings",
        adapt=_opt,
    ),
    "bloom": Family("BLOOM", _biased, tied=True, gated=False, mlp_biases="always", adapt=respelled),
    "mpt": Family("MPT", tied=True, gated=False, adapt=respelled),
    "falcon": Family("Falcon", _falcon_extra, tied=True, gated=False, mlp_biases="bias", adapt=_falcon),
    "dbrx": Family("DBRX", expert_width=("intermediate_size",), adapt=respelled),
    "qwen": Family("Qwen 1", _query_bias, adapt=_half_width),
    "chatglm": Family("ChatGLM", _query_bias, adapt=_chatglm),
    "exaone": Family("EXAONE 3", adapt=respelled),
    "exaone4": Family("EXAONE 4", _head_norms, window="4"),
    "step3_text": Family("Step-3", _query_norm, adapt=_step3),
    "granitemoe": Family("Granite MoE", expert_width=("intermediate_size",), tied=True),
}
IGNORED_OLDER = frozenset(
    {
        "activation_function",
        "alibi",
        "apply_query_key_layer_scaling",
        "attn_config",
        "attn_pdrop",
        "classifier_dropout",
        "clip_qkv",
        "do_layer_norm_before",
        "emb_dropout_prob",
        "embedding_fraction",
        "ffn_config",
        "layer_norm_epsilon",
        "learned_pos_emb",
        "max_position_embedding",
        "max_seq_len",
        "moe_layers_enum",
        "moe_num_experts",
        "moe_top_k",
        "multi_query",
        "multi_query_attention",
        "n_ctx",
        "no_bias",
        "norm_expert_weight",
        "num_attention_groups",
        "parallel_attn",
        "rotary",
        "rotary_dim",
        "rotary_emb_base",
        "seq_length",
        "share_expert_dim",
        "share_q_dim",
        "word_embed_proj_dim",
    }
)
"""Keys of these families that change no size."""
