"""What each family of models has beyond the common shape: biases, norms, windows, defaults."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.workload.config.keys import Keys
from core.workload.config.mixers import ReadMixers, Sizes

Extra = Callable[[Keys, Sizes], int]


def _same(values: dict[str, Any]) -> dict[str, Any]:
    return values


def _none(keys: Keys, sizes: Sizes) -> int:
    del keys, sizes
    return 0


def _optional_bias(keys: Keys, sizes: Sizes) -> int:
    return sizes.qkv + sizes.hidden if keys.flag("attention_bias") else 0


def _qkv_bias(keys: Keys, sizes: Sizes) -> int:
    del keys
    return sizes.qkv


def _head_norms(keys: Keys, sizes: Sizes) -> int:
    return 2 * sizes.head_dim + _optional_bias(keys, sizes)


def _four_norms(keys: Keys, sizes: Sizes) -> int:
    return 2 * sizes.hidden + _optional_bias(keys, sizes)


def _four_norms_and_head_norms(keys: Keys, sizes: Sizes) -> int:
    return 2 * sizes.head_dim + _four_norms(keys, sizes)


def _gpt_oss(keys: Keys, sizes: Sizes) -> int:
    """Biases of the projections and of the router, one sink a head."""
    experts = keys.count("num_local_experts", "num_experts")
    return sizes.qkv + sizes.hidden + sizes.heads + experts


def _shared_gate(keys: Keys, sizes: Sizes) -> int:
    """Biases of the projections and the gate of the shared expert."""
    return sizes.qkv + (sizes.hidden if keys.has("shared_expert_intermediate_size") else 0)


def _phi(keys: Keys, sizes: Sizes) -> int:
    """Biases everywhere; one LayerNorm (weight and bias), which the two common norms already count."""
    del keys
    return sizes.qkv + sizes.hidden


def _phimoe(keys: Keys, sizes: Sizes) -> int:
    """Two LayerNorms with biases, and biases of the projections where asked for."""
    return 2 * sizes.hidden + _optional_bias(keys, sizes)


def _wide_norms(keys: Keys, sizes: Sizes) -> int:
    """Norms of all queries and of all keys, not of one head."""
    return (sizes.heads + sizes.kv_heads) * sizes.head_dim + _optional_bias(keys, sizes)


def _minimax_m2(keys: Keys, sizes: Sizes) -> int:
    """Wide norms, and a correction of the router."""
    return _wide_norms(keys, sizes) + keys.count("num_local_experts")


def _input_bias(keys: Keys, sizes: Sizes) -> int:
    """Biases of query, key and value alone."""
    return sizes.qkv if keys.flag("attention_bias") or keys.flag("use_qkv_bias") else 0


def _glm4(keys: Keys, sizes: Sizes) -> int:
    """Four norms a layer."""
    return 2 * sizes.hidden + _input_bias(keys, sizes)


def _glm4_moe(keys: Keys, sizes: Sizes) -> int:
    norms = 2 * sizes.head_dim if keys.flag("use_qk_norm") else 0
    return norms + _input_bias(keys, sizes) + keys.count("n_routed_experts", default=0, least=0)


def _cohere(keys: Keys, sizes: Sizes) -> int:
    """Attention and MLP side by side behind one norm; queries and keys normed where asked for."""
    norms = (sizes.heads + sizes.kv_heads) * sizes.head_dim if keys.flag("use_qk_norm") else 0
    return norms - sizes.hidden + _optional_bias(keys, sizes)


def _norm_biases(keys: Keys, sizes: Sizes) -> int:
    """Two LayerNorms with biases, and biases of the projections where asked for."""
    biased = keys.flag("use_bias") or keys.flag("attention_bias")
    return 2 * sizes.hidden + (sizes.qkv + sizes.hidden if biased else 0)


def _routing_bias(keys: Keys, sizes: Sizes) -> int:
    """Corrections of the router; small and counted in every layer."""
    del sizes
    return keys.count("n_routed_experts") if keys.any("topk_method") == "noaux_tc" else 0


@dataclass(frozen=True, slots=True)
class Family:
    """
    A ``model_type`` and what it has beyond the common shape.

    Attributes:
        layer_extra: Values of a layer beyond matrices and two norms.
        expert_width: Keys of an expert's hidden size, the first that is present.
        tied: Default of ``tie_word_embeddings``.
        gated: Three matrices in an MLP.
        mlp_biases: ``never``, ``always`` or the key that asks for them.
        window: ``never``, ``all``, ``flag`` (``use_sliding_window``) or ``N`` as "all but every Nth".
        window_key: Key of the window's width.
        dense_width: Keys of a dense layer's MLP in a model that also routes.
        shared: Shared experts where no key counts them.
        positions: Key that counts learned positions, each of the hidden size; empty for none.
        adapt: Brings the family's own spelling to the common one.
        mixers: What mixes tokens where layers differ; None where every layer attends.
        defaults: Values that the family's own code fills in when a config leaves them out.
    """

    name: str
    layer_extra: Extra = _none
    expert_width: tuple[str, ...] = ("moe_intermediate_size", "intermediate_size")
    tied: bool = False
    gated: bool = True
    mlp_biases: str = "never"
    window: str = "never"
    window_key: str = "sliding_window"
    dense_width: tuple[str, ...] = ("intermediate_size",)
    shared: int = 0
    positions: str = ""
    adapt: Callable[[dict[str, Any]], dict[str, Any]] = _same
    mixers: ReadMixers | None = None
    defaults: dict[str, int] = field(default_factory=dict)


_GEMMA3_DEFAULTS = {
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "vocab_size": 262208,
    "sliding_window": 4096,
}

FAMILIES = {
    "llama": Family("Llama", _optional_bias, mlp_biases="mlp_bias"),
    "mistral": Family("Mistral", window="all"),
    "mixtral": Family("Mixtral", expert_width=("intermediate_size",), window="all"),
    "qwen2": Family("Qwen2", _qkv_bias, window="flag"),
    "qwen2_moe": Family("Qwen2 MoE", _shared_gate, window="flag"),
    "qwen3": Family("Qwen3", _head_norms, window="flag"),
    "qwen3_moe": Family("Qwen3 MoE", _head_norms, window="flag"),
    "deepseek": Family("DeepSeek"),
    "deepseek_v2": Family("DeepSeek-V2"),
    "deepseek_v3": Family("DeepSeek-V3", _routing_bias),
    "kimi_k2": Family("Kimi K2", _routing_bias),
    "gemma": Family("Gemma", _optional_bias, tied=True),
    "gemma2": Family("Gemma 2", _four_norms, tied=True, window="2"),
    "gemma3_text": Family(
        "Gemma 3", _four_norms_and_head_norms, tied=True, window="6", defaults=_GEMMA3_DEFAULTS
    ),
    "gpt_oss": Family(
        "GPT-OSS", _gpt_oss, expert_width=("intermediate_size",), mlp_biases="always", window="2"
    ),
    "llama4_text": Family(
        "Llama 4",
        _optional_bias,
        expert_width=("intermediate_size",),
        dense_width=("intermediate_size_mlp", "intermediate_size"),
        shared=1,
        window="4",
        window_key="attention_chunk_size",
    ),
    "glm": Family("GLM-4", _input_bias),
    "glm4": Family("GLM-4-0414", _glm4),
    "glm4_moe": Family("GLM-4.5", _glm4_moe),
    "cohere": Family("Command R", _cohere, tied=True),
    "cohere2": Family("Command A", _cohere, tied=True, window="4"),
    "olmo2": Family("OLMo 2", _wide_norms),
    "olmo3": Family("OLMo 3", _wide_norms, window="4"),
    "apertus": Family("Apertus", _head_norms, gated=False),
    "olmoe": Family("OLMoE", _wide_norms, expert_width=("intermediate_size",)),
    "minimax_m2": Family("MiniMax-M2", _minimax_m2, expert_width=("intermediate_size",)),
    "seed_oss": Family("Seed-OSS", _input_bias),
    "smollm3": Family("SmolLM3", _optional_bias, tied=True, mlp_biases="mlp_bias"),
    "granite": Family("Granite", _optional_bias, tied=True, mlp_biases="mlp_bias"),
    "starcoder2": Family(
        "StarCoder2", _norm_biases, tied=True, gated=False, mlp_biases="use_bias", window="all"
    ),
    "nemotron": Family("Nemotron", _norm_biases, gated=False, mlp_biases="mlp_bias"),
    "stablelm": Family("StableLM 2", _input_bias),
    "internlm2": Family("InternLM 2"),
    "dots1": Family("dots.llm1", _head_norms),
    "ernie4_5": Family("ERNIE 4.5", tied=True),
    "ernie4_5_moe": Family("ERNIE 4.5 MoE", tied=True),
    "hunyuan_v1_moe": Family("Hunyuan MoE", _head_norms, tied=True),
    "phi": Family("Phi", _phi, gated=False, mlp_biases="always"),
    "phi3": Family("Phi-3", window="all"),
    "phimoe": Family("Phi-3.5 MoE", _phimoe, expert_width=("intermediate_size",), window="all"),
}
ALIASES = {
    "gemma3": "gemma3_text",
    "mistral3": "mistral",
    "kimi_vl": "deepseek_v3",
    "kimi_k25": "deepseek_v3",
    "ministral3": "mistral",
    "step3_vl": "step3_text",
    "llama4": "llama4_text",
    "qwen2_vl": "qwen2",
    "qwen2_vl_text": "qwen2",
    "qwen2_5_vl": "qwen2",
    "qwen2_5_vl_text": "qwen2",
    "qwen3_vl": "qwen3",
    "qwen3_vl_text": "qwen3",
    "qwen3_vl_moe": "qwen3_moe",
    "qwen3_vl_moe_text": "qwen3_moe",
}
