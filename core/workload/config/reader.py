"""From the text of a config.json to a Model with its parameters recounted."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.checks import InputError
from core.provenance import Confidence, Source
from core.workload import Attention, Model
from core.workload.config.experts import count_moe_layers, read_experts
from core.workload.config.families import ALIASES, Family
from core.workload.config.families import FAMILIES as COMMON
from core.workload.config.hybrid import HYBRID, HYBRID_ALIASES
from core.workload.config.ignored import IGNORED, IGNORED_HYBRID, IGNORED_RECURRENT
from core.workload.config.keys import MOST_LAYERS, Keys
from core.workload.config.mistral import from_params, is_params
from core.workload.config.mixers import PLAIN, Sizes
from core.workload.config.older import IGNORED_OLDER, OLDER
from core.workload.config.recurrent import RECURRENT, RECURRENT_ALIASES
from core.workload.config.windows import read_window
from core.workload.transformer import Parameters, parameters

BY_LAYER = HYBRID | RECURRENT
"""Families whose layers differ or do not attend."""
FAMILIES = COMMON | OLDER | BY_LAYER

HARMLESS = IGNORED | IGNORED_OLDER | IGNORED_HYBRID | IGNORED_RECURRENT

SIZE_WORDS = re.compile(
    r"expert|moe|intermediate|ffn|rank|block_config|altup|laurel|per_layer_input|linear|conv|recurrent|rnn"
)
"""In a key of an unknown family these words mean weights that the common shape does not have."""

CACHE_WORDS = re.compile(r"^swa_|hybrid|window|chunk_size|compress|sparse|index_")
"""The same for what a token leaves in the KV cache."""

GATED_WITH = ("silu", "swiglu", "gelu_pytorch_tanh")
"""Activations of gated MLPs: gate, up and down."""

PREDICTION = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules")
"""Keys that count multi-token prediction layers."""

OTHER_SHAPES = (
    "ssm_state_size",
    "state_size",
    "mamba_d_state",
    "linear_num_key_heads",
    "d_state",
    "is_encoder_decoder",
    "attn_type_list",
    "type_vocab_size",
)


@dataclass(frozen=True, slots=True)
class ConfigModel:
    """
    A model read from a config.

    Attributes:
        notes: One line each: what was assumed or left out.
        unread: Keys that had no effect and are not known to be harmless.
    """

    model: Model
    parameters: Parameters
    family: str
    notes: tuple[str, ...]
    unread: tuple[str, ...]


def read_config(text: str, name: str = "config.json") -> ConfigModel:
    """
    Read a Hugging Face config.

    Args:
        text: The file's content.
        name: What to call the model when the config does not say.

    Raises:
        InputError: No JSON object, a shape that is not a decoder of the known families, or a
            missing or impossible dimension: one line that names it.
    """
    return config_model(_values(text), name)


def config_model(config: Mapping[str, Any], name: str = "config.json") -> ConfigModel:
    """
    The same from the keys and values of a config.

    Raises:
        InputError: As ``read_config``.
    """
    values, notes = _decoder(dict(config))
    family_id, family = _family(values, notes)
    keys_given = family.adapt({key: value for key, value in values.items() if value is not None})
    keys = Keys(family.defaults | keys_given)
    model = _model(keys, family, str(values.get("_name_or_path") or name))
    unread = tuple(key for key in keys.unread() if key not in HARMLESS)
    if family_id not in FAMILIES:
        _refuse_unknown_sizes(values, unread)
    counted = parameters(model)
    sized = replace(
        model,
        params=counted.total,
        active_params=counted.active,
        published_params=f"{counted.total / 1e9:,.3g} B recomputed",
    )
    if isinstance(packed := values.get("quantization_config"), dict):
        method = str(packed.get("quant_method", "of its own"))
        notes.append(
            f"its weights are stored quantized ({method:.20}): choose their format where it is asked for"
        )
    if values.get("index_topk") and model.indexer is None:
        notes.append("the sparse attention's indexer is left out: every token is attended to and counted")
    if any(values.get(key) for key in PREDICTION):
        notes.append("multi-token prediction layers are not counted")
    return ConfigModel(sized, counted, family_id, tuple(notes), unread)


def _values(text: str) -> dict[str, Any]:
    """The object in the text."""
    try:
        config = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as problem:
        line = getattr(problem, "lineno", 1)
        message = f"config: not JSON (line {line}); paste the whole config.json"
        raise InputError(message) from None
    if not isinstance(config, dict):
        message = "config: a JSON object with model_type and sizes, not a list or a value"
        raise InputError(message)
    return config


def _decoder(config: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The object that describes the decoder, and notes on what is left out."""
    if is_params(config):
        return from_params(config)
    inner = config.get("text_config")
    if not isinstance(inner, dict):
        return config, []
    merged = {**inner, "model_type": inner.get("model_type") or config.get("model_type")}
    if "tie_word_embeddings" in config:
        merged.setdefault("tie_word_embeddings", config["tie_word_embeddings"])
    return merged, ["only the text decoder is counted; vision and audio parts are left out"]


def _family(values: dict[str, Any], notes: list[str]) -> tuple[str, Family]:
    kind = values.get("model_type")
    if kind is not None and not isinstance(kind, str):
        message = f"config: model_type is a name, not {kind!r:.40}"
        raise InputError(message)
    kind = (ALIASES | HYBRID_ALIASES | RECURRENT_ALIASES).get(str(kind), str(kind))
    if kind in BY_LAYER:
        return kind, BY_LAYER[kind]
    unsupported = next((key for key in OTHER_SHAPES if _differs(values.get(key))), None)
    if unsupported is not None:
        message = (
            f"config: {unsupported} is no key of a plain attention decoder; this shape is not counted here"
        )
        raise InputError(message)
    if kind in FAMILIES:
        return kind, FAMILIES[kind]
    if not {"hidden_size", "num_hidden_layers", "num_attention_heads"} <= values.keys():
        raise InputError(_unknown(values))
    notes.append(f"model_type {values.get('model_type')!r} is unknown: read as a Llama-like decoder")
    act = values.get("hidden_act")
    if act is not None and act not in GATED_WITH:
        notes.append(f"hidden_act {act!r:.30}: an MLP of three matrices is assumed, it may have two")
    return kind, FAMILIES["llama"]


def _unknown(values: dict[str, Any]) -> str:
    """Why an object with neither a known family nor the sizes of a decoder is no model."""
    if not values:
        return "config: an empty object; paste the whole config.json of a model"
    kind = values.get("model_type")
    said = "model_type is missing" if kind is None else f"model_type {kind!r} is unknown"
    sizes = "hidden_size, num_hidden_layers and num_attention_heads"
    return f"config: {said}; one of {', '.join(FAMILIES)}, or {sizes}"


def _differs(value: Any) -> bool:
    """Whether a key of another shape says anything: a list of ones marks layers that all attend."""
    return bool(value) and value != [1] * (len(value) if isinstance(value, list) else 0)


def _refuse_unknown_sizes(values: dict[str, Any], unread: tuple[str, ...]) -> None:
    """A family nobody described is not guessed at where its config names weights or a cache of its own."""
    for words, what in ((SIZE_WORDS, "hold weights"), (CACHE_WORDS, "shape a KV cache")):
        uncounted = next((key for key in unread if words.search(key) and values.get(key)), None)
        if uncounted is not None:
            message = (
                f"config: model_type {values.get('model_type')!r} is unknown and its {uncounted} may {what} "
                f"that would not be counted; one of {', '.join(FAMILIES)}"
            )
            raise InputError(message)


def _sizes(keys: Keys) -> Sizes:
    """Width, heads and their size, checked against each other."""
    hidden, heads = keys.count("hidden_size"), keys.count("num_attention_heads")
    latent, stated = keys.has("kv_lora_rank"), keys.has("num_key_value_heads")
    kv_heads = keys.count("num_key_value_heads") if stated and not latent else heads
    head_dim = keys.count("qk_nope_head_dim") if latent else keys.count("head_dim", default=hidden // heads)
    if hidden % heads and not latent and not keys.has("head_dim"):
        message = f"config: num_attention_heads {heads} must divide hidden_size {hidden}, or give head_dim"
        raise InputError(message)
    if head_dim < 1:
        message = f"config: num_attention_heads {heads} exceeds hidden_size {hidden}; give head_dim"
        raise InputError(message)
    if heads % kv_heads:
        message = f"config: num_key_value_heads {kv_heads} must divide num_attention_heads {heads}"
        raise InputError(message)
    return Sizes(hidden, heads, kv_heads, head_dim)


def _model(keys: Keys, family: Family, name: str) -> Model:
    layers = keys.count("num_hidden_layers", most=MOST_LAYERS)
    sizes, latent = _sizes(keys), keys.has("kv_lora_rank")
    experts = read_experts(keys, family)
    moe_layers = count_moe_layers(keys, layers) if experts.routed else 0
    widths = family.dense_width if experts.routed else ("intermediate_size",)
    mixers = family.mixers(keys, layers, sizes) if family.mixers else PLAIN
    dense_layers = layers - moe_layers - mixers.without_mlp
    ffn = keys.count(*widths) if dense_layers else keys.maybe(*widths)
    window, windowed = (None, 0) if family.mixers else read_window(keys, family, layers)
    return Model(
        id=name,
        name=name,
        layers=layers,
        dense_layers=dense_layers,
        hidden=sizes.hidden,
        heads=sizes.heads,
        kv_heads=sizes.kv_heads,
        head_dim=sizes.head_dim,
        attention=_attention(sizes, latent=latent),
        ffn=ffn,
        vocab=keys.count("vocab_size"),
        params=0.0,
        active_params=0.0,
        published_params="",
        value_head_dim=keys.count("v_head_dim") if latent else None,
        kv_lora_rank=keys.count("kv_lora_rank") if latent else None,
        rope_dim=keys.count("qk_rope_head_dim") if latent else None,
        q_lora_rank=keys.maybe("q_lora_rank"),
        expert_ffn=experts.width,
        experts=experts.routed,
        shared_experts=experts.shared,
        active_experts=experts.active,
        window=window,
        window_layers=windowed,
        tied_embeddings=keys.flag("tie_word_embeddings", default=family.tied),
        gated_mlp=family.gated,
        once_extra_params=(keys.count(family.positions) * sizes.hidden if family.positions else 0)
        + mixers.extra,
        layers_without_attention=mixers.without_attention,
        layers_without_mlp=mixers.without_mlp,
        state=mixers.state,
        indexer=mixers.indexer,
        gated_attention=mixers.gated_attention,
        expert_hidden=mixers.expert_hidden,
        layer_extra_params=family.layer_extra(keys, sizes),
        mlp_extra_params=_mlp_biases(keys, family, sizes.hidden, experts.width or ffn or 0),
        sources=(Source("config", f"{name} (yours)", "pasted or uploaded"),),
        confidence=Confidence.HIGH,
        yours=True,
    )


def _attention(sizes: Sizes, *, latent: bool) -> Attention:
    if latent:
        return Attention.MLA
    return Attention.MHA if sizes.heads == sizes.kv_heads else Attention.GQA


def _mlp_biases(keys: Keys, family: Family, hidden: int, width: int) -> int:
    rule = family.mlp_biases
    biased = rule == "always" or (rule != "never" and keys.flag(rule))
    return (2 if family.gated else 1) * width + hidden if biased else 0
