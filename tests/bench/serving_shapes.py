"""Shapes of served models that the catalog does not hold, as their config.json says."""

import json
from dataclasses import replace

from core.catalog import model, system
from core.workload.config import read_config
from tests.core.hybrid_shapes import DELTA, PUBLISHED, sizes

QWEN3 = {"model_type": "qwen3", "head_dim": 128, "num_key_value_heads": 8, "vocab_size": 151936}
# fmt: off
CONFIGS = {
    "qwen3-14b": QWEN3
    | {"hidden_size": 5120, "num_hidden_layers": 40, "num_attention_heads": 40, "intermediate_size": 17408},
    "qwen3-32b": QWEN3
    | {"hidden_size": 5120, "num_hidden_layers": 64, "num_attention_heads": 64, "intermediate_size": 25600},
    "qwen3-30b-a3b": QWEN3
    | {
        "model_type": "qwen3_moe",
        "hidden_size": 2048,
        "num_hidden_layers": 48,
        "num_attention_heads": 32,
        "num_key_value_heads": 4,
        "intermediate_size": 6144,
        "moe_intermediate_size": 768,
        "num_experts": 128,
        "num_experts_per_tok": 8,
    },
    "gpt-j-6b": {"model_type": "gptj", "n_embd": 4096, "n_layer": 28, "n_head": 16, "vocab_size": 50400},
    "llama-2-7b": {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "intermediate_size": 11008,
        "vocab_size": 32000,
    },
    "falcon-180b": {
        "model_type": "falcon",
        "hidden_size": 14848,
        "num_hidden_layers": 80,
        "num_attention_heads": 232,
        "num_kv_heads": 8,
        "new_decoder_architecture": True,
        "vocab_size": 65024,
    },
    "glm-4.6": {
        "model_type": "glm4_moe",
        "hidden_size": 5120,
        "num_hidden_layers": 92,
        "num_attention_heads": 96,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "intermediate_size": 12288,
        "moe_intermediate_size": 1536,
        "n_routed_experts": 160,
        "n_shared_experts": 1,
        "num_experts_per_tok": 8,
        "first_k_dense_replace": 3,
        "vocab_size": 151552,
        "attention_bias": True,
        "use_qk_norm": True,
    },
    "ernie-4.5-21b-a3b": {
        "model_type": "ernie4_5_moe",
        "hidden_size": 2560,
        "num_hidden_layers": 28,
        "num_attention_heads": 20,
        "num_key_value_heads": 4,
        "intermediate_size": 12288,
        "moe_intermediate_size": 1536,
        "moe_num_experts": 64,
        "moe_num_shared_experts": 2,
        "moe_k": 6,
        "moe_layer_start_index": 1,
        "vocab_size": 103424,
        "tie_word_embeddings": True,
    },
    "qwen3-coder-480b-a35b": {
        "model_type": "qwen3_moe",
        "hidden_size": 6144,
        "num_hidden_layers": 62,
        "num_attention_heads": 96,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "intermediate_size": 8192,
        "moe_intermediate_size": 2560,
        "num_experts": 160,
        "num_experts_per_tok": 8,
        "vocab_size": 151936,
    },
    "qwen3-1.7b": QWEN3 | {"hidden_size": 2048, "num_hidden_layers": 28, "num_attention_heads": 16, "intermediate_size": 6144,
                           "tie_word_embeddings": True},
    "qwen3-4b": QWEN3 | {"hidden_size": 2560, "num_hidden_layers": 36, "num_attention_heads": 32, "intermediate_size": 9728,
                         "tie_word_embeddings": True},
    "qwen3-0.6b": QWEN3 | {"hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16, "intermediate_size": 3072,
                           "tie_word_embeddings": True},
    "qwen3-8b": QWEN3 | {"hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32, "intermediate_size": 12288},
    "qwen2.5-72b": {"model_type": "qwen2", "hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64,
                    "num_key_value_heads": 8, "intermediate_size": 29568, "vocab_size": 152064},
    "glm-4.5-air": {"model_type": "glm4_moe", "hidden_size": 4096, "num_hidden_layers": 46, "num_attention_heads": 96,
                    "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 10944, "moe_intermediate_size": 1408,
                    "n_routed_experts": 128, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1,
                    "vocab_size": 151552, "attention_bias": True},
    "minimax-m2": {"model_type": "minimax_m2", "hidden_size": 3072, "num_hidden_layers": 62, "num_attention_heads": 48,
                   "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 1536, "num_local_experts": 256,
                   "num_experts_per_tok": 8, "vocab_size": 200064},
    "glm-5.2": PUBLISHED["GLM-5"][1] | {"indexer_types": ["full"] * 21 + ["shared"] * 57},
    "qwen3.6-35b-a3b": PUBLISHED["Qwen3.5 35B"][1],
    "qwen3.6-27b": sizes("qwen3_5_text", 5120, 64, 24, 4, 17408, 248320, head_dim=256)
    | DELTA
    | {"linear_num_value_heads": 48, "mamba_ssm_dtype": "float32", "tie_word_embeddings": False},
    "mistral-7b": {"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
                   "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32768},
    "glm-5": PUBLISHED["GLM-5"][1],
    "phi-3-14b": {"model_type": "phi3", "hidden_size": 5120, "num_hidden_layers": 40, "num_attention_heads": 40,
                  "num_key_value_heads": 10, "intermediate_size": 17920, "vocab_size": 32064},
    "phi-4": {"model_type": "phi3", "hidden_size": 5120, "num_hidden_layers": 40, "num_attention_heads": 40,
              "num_key_value_heads": 10, "intermediate_size": 17920, "vocab_size": 100352},
    "gemma-2-27b": {"model_type": "gemma2", "hidden_size": 4608, "num_hidden_layers": 46, "num_attention_heads": 32,
                    "num_key_value_heads": 16, "head_dim": 128, "intermediate_size": 36864, "vocab_size": 256000,
                    "sliding_window": 4096},
}
# fmt: on
OTHER_MEMORY = {
    "hgx-h20-3e-x8": ("hgx-h20-x8", 141e9, 4.8e12),
    "mi325x-x8": ("mi300x-x8", 256e9, 6.0e12),
    "a100-40gb-x8": ("dgx-a100", 40e9, 1.555e12),
}
"""Machines whose GPU is one of the catalog with another memory: its bytes and bytes/s by the datasheet."""


def machine(name):
    """A system of the catalog, or one with another memory."""
    if name not in OTHER_MEMORY:
        return system(name)
    like, held, per_s = OTHER_MEMORY[name]
    eight = system(like)
    rate = replace(eight.gpu.memory_rate, value=per_s / eight.gpu.memory_rate.unit)
    gpu = replace(eight.gpu, memory_rate=rate, memory_bytes=held, driver_memory_bytes=None)
    return replace(eight, gpu=gpu)


def shape(name):
    """A model of the catalog or of a config.json."""
    return read_config(json.dumps(CONFIGS[name]), name).model if name in CONFIGS else model(name)
