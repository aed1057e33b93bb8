"""What the recipes of published training tables state beside them, and rows that a later release replaced."""

from collections import defaultdict
from typing import Any

QWEN3_30B = {
    "model_type": "qwen3_moe",
    "num_hidden_layers": 48,
    "hidden_size": 2048,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "head_dim": 128,
    "intermediate_size": 6144,
    "moe_intermediate_size": 768,
    "num_experts": 128,
    "num_experts_per_tok": 8,
    "vocab_size": 151936,
}
"""config.json of Qwen3-30B-A3B, which the catalog does not hold."""
LLAMA_4_SCOUT = {
    "model_type": "llama4_text",
    "num_hidden_layers": 48,
    "hidden_size": 5120,
    "num_attention_heads": 40,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 8192,
    "intermediate_size_mlp": 16384,
    "attention_chunk_size": 8192,
    "num_local_experts": 16,
    "num_experts_per_tok": 1,
    "interleave_moe_layer_step": 1,
    "vocab_size": 202048,
}
"""The same of Llama 4 Scout's text part."""
MOONLIGHT = {
    "model_type": "deepseek_v3",
    "num_hidden_layers": 27,
    "hidden_size": 2048,
    "num_attention_heads": 16,
    "num_key_value_heads": 16,
    "kv_lora_rank": 512,
    "q_lora_rank": None,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
    "intermediate_size": 11264,
    "moe_intermediate_size": 1408,
    "n_routed_experts": 64,
    "num_experts_per_tok": 6,
    "n_shared_experts": 2,
    "first_k_dense_replace": 1,
    "vocab_size": 163840,
}
"""The same of Moonlight-16B-A3B."""
QWEN3_32B = {
    "model_type": "qwen3",
    "num_hidden_layers": 64,
    "hidden_size": 5120,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 25600,
    "vocab_size": 151936,
}
"""The same of Qwen3-32B."""


def experts(count: int) -> dict[str, Any]:
    """The same of KempnerForge's models with so many experts: Mixtral's kind, 24 layers of 2,048."""
    return {
        "model_type": "mixtral",
        "num_hidden_layers": 24,
        "hidden_size": 2048,
        "num_attention_heads": 16,
        "num_key_value_heads": 4,
        "intermediate_size": 7168,
        "num_local_experts": count,
        "num_experts_per_tok": 2,
        "vocab_size": 128256,
    }


RECIPES = {
    ("deepseek-v3", "8"): {"recompute": "selective", "recompute_modules": ("mla_up_proj",)},
    ("deepseek-v3", "64"): {"recompute": "selective", "recompute_modules": ("mla_up_proj",)},
    ("deepseek-v3", "32"): {
        "recompute": "selective",
        "recompute_modules": ("mla_up_proj", "mlp"),
        "ep_overlap": 1.0,
    },
    ("gpt-oss-120b", "8"): {"recompute": "selective", "recompute_modules": ("layernorm", "moe_act")},
    ("gpt-oss-120b", "64"): {"recompute": "selective", "recompute_modules": ("layernorm", "moe_act")},
}
"""By model and EP: github.com/NVIDIA-NeMo/Megatron-Bridge, scripts/performance/configs, of 2026."""
REPLACED = 1.6
"""A row is replaced where a later release of its publisher is that many times as fast on the same GPU."""


def stated(cells: dict[str, str]) -> dict[str, Any]:
    """Arguments of the scenario that the recipe of a row states and its table does not."""
    if "mbridge-26" not in cells["table"]:
        return {}
    graphs = {"cuda_graphs": "partial"} if cells["experts"] else {}
    return graphs | RECIPES.get((cells["model"], cells["EP"]), {})


def replaced(table: list[dict[str, str]]) -> set[str]:
    """
    Rows that a later release of Megatron-Bridge replaced: same model, GPUs and bits, far faster.

    What made the difference was software (CUDA graphs, larger micro-batches), of which no table says a word.
    """
    alike = defaultdict(list)
    for cells in table:
        if cells["table"].startswith("mbridge") and cells["metric"] == "tokens_per_s_per_gpu":
            bits = (
                "16"
                if cells["precision"].startswith("bf16")
                else cells["precision"][:3].replace("mxf", "fp8")
            )
            alike[cells["model"], cells["gpu"], cells["gpus"], cells["seq"], bits].append(cells)
    gone = set()
    for members in alike.values():
        for cells in members:
            later = [float(other["value"]) for other in members if other["table"] > cells["table"]]
            if later and max(later) > REPLACED * float(cells["value"]):
                gone.add(cells["id"])
    return gone
