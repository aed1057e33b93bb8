"""Models whose layers differ, and others of today, as the keys and values of their config.json."""

from dataclasses import replace
from typing import Any

from core.catalog.sources import cite
from core.units import BILLION
from core.workload import Model
from core.workload.config import config_model

_SOURCE = "model-configs"


def _model(model_id: str, name: str, published: str, note: str, config: dict[str, Any]) -> Model:
    """A released model, counted from its config; totals to the nearest million."""
    shape = config_model(config, name).model
    return replace(
        shape,
        id=model_id,
        params=round(shape.params / BILLION, 3) * BILLION,
        active_params=round(shape.active_params / BILLION, 3) * BILLION,
        published_params=published,
        sources=cite(_SOURCE),
        note=note,
        yours=False,
    )


def _sizes(
    kind: str, layers: int, hidden: int, heads: int, kv_heads: int, ffn: int, vocab: int
) -> dict[str, Any]:
    """Keys that every config has."""
    return {
        "model_type": kind,
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "intermediate_size": ffn,
        "vocab_size": vocab,
    }


def _mamba(pattern: str, heads: int, head_dim: int, state: int) -> dict[str, Any]:
    """Nemotron-H's pattern and its Mamba-2 layers."""
    return {
        "head_dim": 128,
        "hybrid_override_pattern": pattern,
        "mamba_num_heads": heads,
        "mamba_head_dim": head_dim,
        "ssm_state_size": state,
        "n_groups": 8,
        "conv_kernel": 4,
    }


_GRANITE_LAYERS = ["mamba"] * 5 + (["attention"] + ["mamba"] * 9) * 3 + ["attention"] + ["mamba"] * 4
_H_47B = "M-M-M-M-M-M-M-M-M*-M-M-M-M-M-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-M-M---MM---M-M*-M-M-M-M-M-"
_NANO_3 = "MEMEM*E" * 5 + "MEMEMEM*EMEMEMEME"

CONFIG_MODELS = (
    _model(
        "deepseek-v3.2",
        "DeepSeek-V3.2",
        "672 (38 active)",
        "an indexer picks 2,048 tokens for every query; the MTP module is not counted",
        _sizes("deepseek_v32", 61, 7168, 128, 128, 18432, 129280)
        | {
            "q_lora_rank": 1536,
            "kv_lora_rank": 512,
            "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
            "n_routed_experts": 256,
            "n_shared_experts": 1,
            "num_experts_per_tok": 8,
            "moe_intermediate_size": 2048,
            "first_k_dense_replace": 3,
            "index_n_heads": 64,
            "index_head_dim": 128,
            "index_topk": 2048,
        },
    ),
    _model(
        "qwen3-next-80b-a3b",
        "Qwen3-Next-80B-A3B",
        "79.7 (3.9 active)",
        "36 of 48 layers keep a state instead of keys and values",
        _sizes("qwen3_next", 48, 2048, 16, 2, 5120, 151936)
        | {
            "head_dim": 256,
            "full_attention_interval": 4,
            "linear_num_key_heads": 16,
            "linear_key_head_dim": 128,
            "linear_num_value_heads": 32,
            "linear_value_head_dim": 128,
            "linear_conv_kernel_dim": 4,
            "num_experts": 512,
            "num_experts_per_tok": 10,
            "moe_intermediate_size": 512,
            "shared_expert_intermediate_size": 512,
        },
    ),
    _model(
        "nemotron-h-47b",
        "Nemotron-H-47B",
        "47",
        "98 blocks: 5 of attention, 45 of Mamba-2, 48 MLPs",
        _sizes("nemotron_h", 98, 8192, 64, 8, 30720, 131072) | _mamba(_H_47B, 256, 64, 256),
    ),
    _model(
        "nemotron-3-nano-30b-a3b",
        "Nemotron 3 Nano 30B-A3B",
        "31.6 (3.6 active)",
        "52 blocks: 6 of attention, 23 of Mamba-2, 23 of experts",
        _sizes("nemotron_h", 52, 2688, 32, 2, 1856, 131072)
        | _mamba(_NANO_3, 64, 64, 128)
        | {
            "n_routed_experts": 128,
            "num_experts_per_tok": 6,
            "moe_intermediate_size": 1856,
            "moe_shared_expert_intermediate_size": 3712,
        },
    ),
    _model(
        "granite-4.0-h-small",
        "Granite 4.0 H Small",
        "32.2 (9 active)",
        "36 of 40 layers keep a state instead of keys and values",
        _sizes("granitemoehybrid", 40, 4096, 32, 8, 768, 100352)
        | {
            "layer_types": _GRANITE_LAYERS,
            "mamba_n_heads": 128,
            "mamba_d_head": 64,
            "mamba_d_state": 128,
            "mamba_n_groups": 1,
            "num_local_experts": 72,
            "num_experts_per_tok": 10,
            "shared_intermediate_size": 1536,
        },
    ),
    _model(
        "gpt-oss-20b",
        "GPT-OSS-20B",
        "20.9 (3.6 active)",
        "12 of 24 layers keep 128 tokens of keys and values; experts are stored as MXFP4",
        _sizes("gpt_oss", 24, 2880, 64, 8, 2880, 201088)
        | {"head_dim": 64, "num_local_experts": 32, "num_experts_per_tok": 4, "sliding_window": 128},
    ),
    _model(
        "llama-4-maverick",
        "Llama 4 Maverick",
        "400 (17 active)",
        "text part; experts in every second layer, 36 of 48 layers look back 8,192 tokens at most",
        _sizes("llama4_text", 48, 5120, 40, 8, 8192, 202048)
        | {
            "head_dim": 128,
            "intermediate_size_mlp": 16384,
            "attention_chunk_size": 8192,
            "num_local_experts": 128,
            "num_experts_per_tok": 1,
            "interleave_moe_layer_step": 2,
        },
    ),
)
"""Released models in the order in which they are shown."""
