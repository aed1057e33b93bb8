"""Published shapes of many families, each recounted to its publisher's three digits."""

import json

import pytest

from core.checks import InputError
from core.workload.config import read_config
from core.workload.transformer import cache_bytes_per_gpu
from tests.each import table

WIDTHS = ("hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads")
LATENT = {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}


def routed(experts, active, width, **more):
    """Keys of DeepSeek-like routing."""
    sizes = {"n_routed_experts": experts, "num_experts_per_tok": active, "moe_intermediate_size": width}
    return sizes | {"n_shared_experts": 1, "first_k_dense_replace": 1, **more}


# total in billions as the model card or the safetensors index gives it; model_type; hidden, layers,
# heads, KV heads; MLP width; vocabulary; the keys beyond.
PUBLISHED = {
    "Llama 2 7B": (6.74, "llama", (4096, 32, 32, 32), 11008, 32000, {}),
    "Llama 2 13B": (13.0, "llama", (5120, 40, 40, 40), 13824, 32000, {}),
    "Llama 3.2 3B": (3.21, "llama", (3072, 28, 24, 8), 8192, 128256, {"tie_word_embeddings": True}),
    "Yi 34B": (34.4, "llama", (7168, 60, 56, 8), 20480, 64000, {}),
    "DeepSeek LLM 67B": (67.4, "llama", (8192, 95, 64, 8), 22016, 102400, {}),
    "Qwen2.5 0.5B": (0.494, "qwen2", (896, 24, 14, 2), 4864, 151936, {"tie_word_embeddings": True}),
    "Qwen2.5 3B": (3.09, "qwen2", (2048, 36, 16, 2), 11008, 151936, {"tie_word_embeddings": True}),
    "Qwen2.5 14B": (14.8, "qwen2", (5120, 48, 40, 8), 13824, 152064, {}),
    "Qwen2.5 32B": (32.8, "qwen2", (5120, 64, 40, 8), 27648, 152064, {}),
    "Qwen2.5 72B": (72.7, "qwen2", (8192, 80, 64, 8), 29568, 152064, {}),
    "Qwen2.5 VL 7B": (7.62, "qwen2_5_vl", (3584, 28, 28, 4), 18944, 152064, {}),
    "Qwen1.5 MoE A2.7B": (
        14.3,
        "qwen2_moe",
        (2048, 24, 16, 16),
        5632,
        151936,
        {
            "num_experts": 60,
            "num_experts_per_tok": 4,
            "moe_intermediate_size": 1408,
            "shared_expert_intermediate_size": 5632,
        },
    ),
    "Qwen3 8B": (8.19, "qwen3", (4096, 36, 32, 8), 12288, 151936, {"head_dim": 128}),
    "Qwen3 14B": (14.8, "qwen3", (5120, 40, 40, 8), 17408, 151936, {"head_dim": 128}),
    "Qwen3 32B": (32.8, "qwen3", (5120, 64, 64, 8), 25600, 151936, {"head_dim": 128}),
    "Qwen3 Coder 480B": (
        480,
        "qwen3_moe",
        (6144, 62, 96, 8),
        8192,
        151936,
        {
            "head_dim": 128,
            "num_experts": 160,
            "num_experts_per_tok": 8,
            "moe_intermediate_size": 2560,
            "shared_expert_intermediate_size": 0,
        },
    ),
    "Mistral NeMo": (12.2, "mistral", (5120, 40, 32, 8), 14336, 131072, {"head_dim": 128}),
    "Mistral Small 3": (23.6, "mistral", (5120, 40, 32, 8), 32768, 131072, {"head_dim": 128}),
    "Mistral Large 2": (123, "mistral", (12288, 88, 96, 8), 28672, 32768, {"head_dim": 128}),
    "DeepSeek V2": (
        236,
        "deepseek_v2",
        (5120, 60, 128, 128),
        12288,
        102400,
        {**routed(160, 6, 1536, n_shared_experts=2), **LATENT, "q_lora_rank": 1536},
    ),
    "DeepSeekMoE 16B": (
        16.4,
        "deepseek",
        (2048, 28, 16, 16),
        10944,
        102400,
        routed(64, 6, 1408, n_shared_experts=2),
    ),
    "Moonlight 16B": (
        16.0,
        "deepseek_v3",
        (2048, 27, 16, 16),
        11264,
        163840,
        {**routed(64, 6, 1408, n_shared_experts=2), **LATENT, "q_lora_rank": None},
    ),
    "Gemma 7B": (8.54, "gemma", (3072, 28, 16, 16), 24576, 256000, {"head_dim": 256}),
    "Gemma 2 2B": (2.61, "gemma2", (2304, 26, 8, 4), 9216, 256000, {"head_dim": 256}),
    "Gemma 2 27B": (27.2, "gemma2", (4608, 46, 32, 16), 36864, 256000, {"head_dim": 128}),
    "GPT-OSS 20B": (
        20.9,
        "gpt_oss",
        (2880, 24, 64, 8),
        2880,
        201088,
        {"head_dim": 64, "num_local_experts": 32, "num_experts_per_tok": 4},
    ),
    "Phi-2": (2.78, "phi", (2560, 32, 32, 32), 10240, 51200, {}),
    "Phi-3 mini": (3.82, "phi3", (3072, 32, 32, 32), 8192, 32064, {}),
    "Phi-3.5 MoE": (
        41.9,
        "phimoe",
        (4096, 32, 32, 8),
        6400,
        32064,
        {"num_local_experts": 16, "num_experts_per_tok": 2, "attention_bias": True},
    ),
    "Phi-4": (14.7, "phi3", (5120, 40, 40, 10), 17920, 100352, {}),
    "GLM-4 9B": (9.40, "glm", (4096, 40, 32, 2), 13696, 151552, {"attention_bias": True}),
    "GLM-4 32B": (32.6, "glm4", (6144, 61, 48, 2), 23040, 151552, {"head_dim": 128}),
    "OLMo 2 13B": (13.7, "olmo2", (5120, 40, 40, 40), 13824, 100352, {}),
    "OLMo 2 32B": (32.2, "olmo2", (5120, 64, 40, 8), 27648, 100352, {}),
    "OLMoE 7B": (
        6.92,
        "olmoe",
        (2048, 16, 16, 16),
        1024,
        50304,
        {"num_experts": 64, "num_experts_per_tok": 8},
    ),
    "Command R": (35.0, "cohere", (8192, 40, 64, 64), 22528, 256000, {}),
    "Command R+": (104, "cohere", (12288, 64, 96, 8), 33792, 256000, {"use_qk_norm": True}),
    "Command R7B": (8.03, "cohere2", (4096, 32, 32, 8), 14336, 256000, {}),
    "Command A": (111, "cohere2", (12288, 64, 96, 8), 36864, 256000, {}),
    "StarCoder2 7B": (7.17, "starcoder2", (4608, 32, 36, 4), 18432, 49152, {"use_bias": True}),
    "ERNIE 4.5 300B": (
        300,
        "ernie4_5_moe",
        (8192, 54, 64, 8),
        28672,
        103424,
        {
            "moe_num_experts": 64,
            "moe_k": 8,
            "moe_intermediate_size": 3584,
            "moe_layer_start_index": 3,
            "moe_layer_interval": 1,
        },
    ),
    "Seed-OSS 36B": (36.2, "seed_oss", (5120, 64, 80, 8), 27648, 155136, {"head_dim": 128}),
    "SmolLM3": (3.08, "smollm3", (2048, 36, 16, 4), 11008, 128256, {}),
    "Granite 8B": (8.17, "granite", (4096, 40, 32, 8), 12800, 49155, {}),
}
LLAMA_4 = {
    "model_type": "llama4_text",
    **dict(zip(WIDTHS, (5120, 48, 40, 8), strict=True)),
    "intermediate_size": 8192,
    "intermediate_size_mlp": 16384,
    "head_dim": 128,
    "vocab_size": 202048,
    "num_experts_per_tok": 1,
    "attention_chunk_size": 8192,
}


def config(kind, widths, ffn, vocab, more):
    """A config.json with the keys that a publisher's file has."""
    sizes = {"model_type": kind, "intermediate_size": ffn, "vocab_size": vocab}
    return json.dumps(sizes | dict(zip(WIDTHS, widths, strict=True)) | more)


@table("name", PUBLISHED)
def test_total_of_a_published_shape(name):
    """The recounted total agrees with the publisher's figure within half a percent, nothing left unread."""
    total, *sizes = PUBLISHED[name]
    config_ = read_config(config(*sizes), name)
    assert config_.model.params / 1e9 == pytest.approx(total, rel=0.005)
    assert config_.unread == ()


@pytest.mark.parametrize(("experts", "every", "total"), [(16, 1, 107.77), (128, 2, 400.71)])
def test_llama_4_has_shared_experts_and_dense_layers_between(experts, every, total):
    """Scout and Maverick: 17 B active, the text decoder of 108.6 and 401.6 B with the vision tower."""
    inner = LLAMA_4 | {"num_local_experts": experts, "interleave_moe_layer_step": every}
    config_ = read_config(json.dumps({"model_type": "llama4", "text_config": inner, "vision_config": {}}))
    assert config_.model.params / 1e9 == pytest.approx(total, rel=0.001)
    assert config_.model.active_params / 1e9 == pytest.approx(17.2, rel=0.01)
    assert (config_.model.window, config_.model.window_layers) == (8192, 36)


def test_unknown_family_with_weights_of_its_own_is_refused():
    """An unknown model_type is read as Llama-like only where no key names weights that it has not."""
    plain = json.loads(config("brand_new", (4096, 32, 32, 8), 14336, 128256, {"novel_scale": 1.0}))
    config_ = read_config(json.dumps(plain))
    assert config_.model.params == pytest.approx(8.03e9, rel=0.001)
    assert config_.unread == ("novel_scale",)
    with pytest.raises(InputError, match="residual_ffn_size may hold weights") as caught:
        read_config(json.dumps(plain | {"residual_ffn_size": 4096}))
    assert "\n" not in str(caught.value)


def test_list_of_equal_sizes_is_one_size_and_an_uneven_one_is_refused():
    """Some publishers write a size for every layer; uneven ones are not guessed at."""
    sizes = (3072, 32, 24, 8)
    even = read_config(config("brand_new", sizes, [8192] * 32, 128256, {}))
    assert even.model.ffn == 8192
    with pytest.raises(InputError, match="intermediate_size differs from layer to layer"):
        read_config(config("brand_new", sizes, [8192, 4096], 128256, {}))


def test_layers_that_are_no_attention_are_refused_by_name():
    """A hybrid model is not counted as if all its layers attended."""
    kinds = {"layer_types": ["linear_attention", "full_attention"]}
    with pytest.raises(InputError, match="layer_types has linear_attention"):
        read_config(config("brand_new", (2048, 2, 16, 2), 5120, 151936, kinds))


def test_two_matrix_activation_of_an_unknown_family_is_said():
    """Nobody knows whether a stranger's MLP is gated; its activation is the only hint."""
    config_ = read_config(config("brand_new", (2048, 2, 16, 2), 5120, 151936, {"hidden_act": "relu2"}))
    assert any("may have two" in note for note in config_.notes)


@pytest.mark.parametrize(("layers", "experts", "published"), [(36, 128, 5.13), (24, 32, 3.61)])
def test_active_values_as_openai_counts_them(layers, experts, published):
    """GPT-OSS 120B and 20B: 5.13 and 3.61 B active (model card), the input embedding not among them."""
    more = {"head_dim": 64, "num_local_experts": experts, "num_experts_per_tok": 4}
    config_ = read_config(config("gpt_oss", (2880, layers, 64, 8), 2880, 201088, more))
    assert config_.parameters.active_without_lookup / 1e9 == pytest.approx(published, rel=0.005)
    assert config_.parameters.active > config_.parameters.active_without_lookup


NEWEST = {
    "Hunyuan-A13B": (80.4, {"model_type": "hunyuan_v1_moe", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
                            "num_key_value_heads": 8, "head_dim": 128, "num_experts": 64, "moe_topk": [8] * 32, "moe_intermediate_size": [3072] * 32,
                            "num_shared_expert": [1] * 32, "intermediate_size": 3072, "vocab_size": 128167, "tie_word_embeddings": True}),
    "Olmo-3-7B": (7.298, {"model_type": "olmo3", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32,
                          "intermediate_size": 11008, "vocab_size": 100278, "sliding_window": 4096,
                          "layer_types": (["sliding_attention"] * 3 + ["full_attention"]) * 8}),
    "Apertus-8B": (8.053, {"model_type": "apertus", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
                           "num_key_value_heads": 8, "intermediate_size": 21504, "vocab_size": 131072, "hidden_act": "xielu"}),
    "Ling-mini-2.0": (16.26, {"model_type": "bailing_moe_v2", "hidden_size": 2048, "num_hidden_layers": 20, "num_attention_heads": 16,
                              "num_key_value_heads": 4, "head_dim": 128, "num_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 512,
                              "intermediate_size": 5120, "num_shared_experts": 1, "first_k_dense_replace": 1, "vocab_size": 157184}),
    "GLM-4.7-Flash": (29.94, {"model_type": "glm4_moe_lite", "hidden_size": 2048, "num_hidden_layers": 47, "num_attention_heads": 20,
                              "num_key_value_heads": 20, "q_lora_rank": 768, "kv_lora_rank": 512, "qk_nope_head_dim": 192, "qk_rope_head_dim": 64,
                              "v_head_dim": 256, "n_routed_experts": 64, "num_experts_per_tok": 4, "moe_intermediate_size": 1536,
                              "intermediate_size": 10240, "n_shared_experts": 1, "first_k_dense_replace": 1, "vocab_size": 154880}),
}  # fmt: skip
"""Billions of parameters and config.json of models of 2025 and 2026, looked at after the families were described."""


@pytest.mark.parametrize("name", NEWEST)
def test_models_nobody_here_looked_at_before(name):
    """Counted within 0.5 %, three of five without a word about their family."""
    published, values = NEWEST[name]

    assert read_config(json.dumps(values), name).model.params / 1e9 == pytest.approx(published, rel=5e-3)


@pytest.mark.parametrize("kind", ["olmo3", "afmoe"])
def test_layers_that_look_back_a_window_keep_a_window(kind):
    """Three layers of four slide over 4,096 tokens: at 65,536 the cache is 28 % of one that keeps all."""
    values = NEWEST["Olmo-3-7B"][1] | {"model_type": kind}
    model = read_config(json.dumps(values), kind).model
    whole = read_config(json.dumps(values | {"layer_types": ["full_attention"] * 32}), kind).model
    kept, all_of_it = (float(cache_bytes_per_gpu(each, 65536, 2.0, 1)) for each in (model, whole))

    assert (model.window, model.window_layers, whole.window_layers) == (4096, 24, 0)
    assert kept / all_of_it == pytest.approx((24 * 4096 + 8 * 65536) / (32 * 65536))


@pytest.mark.parametrize(
    ("key", "value"),
    [("swa_num_key_value_heads", 8), ("hybrid_layer_pattern", [0, 1]), ("compress_ratios", [4])],
)
def test_a_cache_nobody_described_is_refused_by_name(key, value):
    """MiMo-V2's and DeepSeek-V4's keys in a family without a description: no answer with all tokens kept."""
    values = NEWEST["Apertus-8B"][1] | {"model_type": "brandnew", key: value}

    with pytest.raises(InputError, match=f"its {key} may shape a KV cache"):
        read_config(json.dumps(values), "brandnew")
