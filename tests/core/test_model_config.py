"""A Hugging Face config.json: read, recounted, or refused in one line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checks import InputError
from core.workload import Attention
from core.workload.config import read_config
from tests.each import table

# Shapes as their publishers' config.json give them, with the published total in billions.
SHAPES = {
    "llama3-8b": (
        8.03,
        {
            "model_type": "llama",
            "hidden_size": 4096,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "intermediate_size": 14336,
            "vocab_size": 128256,
            "tie_word_embeddings": False,
            "attention_bias": False,
        },
    ),
    "llama-3.2-1b": (
        1.24,
        {
            "model_type": "llama",
            "hidden_size": 2048,
            "num_hidden_layers": 16,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "intermediate_size": 8192,
            "vocab_size": 128256,
            "tie_word_embeddings": True,
            "head_dim": 64,
        },
    ),
    "qwen2.5-7b": (
        7.62,
        {
            "model_type": "qwen2",
            "hidden_size": 3584,
            "num_hidden_layers": 28,
            "num_attention_heads": 28,
            "num_key_value_heads": 4,
            "intermediate_size": 18944,
            "vocab_size": 152064,
            "tie_word_embeddings": False,
            "use_sliding_window": False,
            "sliding_window": 131072,
            "max_window_layers": 28,
        },
    ),
    "qwen3-30b-a3b": (
        30.5,
        {
            "model_type": "qwen3_moe",
            "hidden_size": 2048,
            "num_hidden_layers": 48,
            "num_attention_heads": 32,
            "num_key_value_heads": 4,
            "head_dim": 128,
            "intermediate_size": 6144,
            "moe_intermediate_size": 768,
            "num_experts": 128,
            "num_experts_per_tok": 8,
            "vocab_size": 151936,
            "tie_word_embeddings": False,
            "decoder_sparse_step": 1,
            "mlp_only_layers": [],
        },
    ),
    "qwen2-57b-a14b": (
        57.4,
        {
            "model_type": "qwen2_moe",
            "hidden_size": 3584,
            "num_hidden_layers": 28,
            "num_attention_heads": 28,
            "num_key_value_heads": 4,
            "intermediate_size": 18944,
            "moe_intermediate_size": 2560,
            "shared_expert_intermediate_size": 20480,
            "num_experts": 64,
            "num_experts_per_tok": 8,
            "vocab_size": 151936,
            "tie_word_embeddings": False,
        },
    ),
    "mixtral-8x7b": (
        46.7,
        {
            "model_type": "mixtral",
            "hidden_size": 4096,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "intermediate_size": 14336,
            "num_local_experts": 8,
            "num_experts_per_tok": 2,
            "vocab_size": 32000,
            "sliding_window": None,
        },
    ),
    "dsv3": (
        671,
        {
            "model_type": "deepseek_v3",
            "hidden_size": 7168,
            "num_hidden_layers": 61,
            "num_attention_heads": 128,
            "num_key_value_heads": 128,
            "intermediate_size": 18432,
            "moe_intermediate_size": 2048,
            "n_routed_experts": 256,
            "n_shared_experts": 1,
            "num_experts_per_tok": 8,
            "first_k_dense_replace": 3,
            "kv_lora_rank": 512,
            "q_lora_rank": 1536,
            "qk_rope_head_dim": 64,
            "qk_nope_head_dim": 128,
            "v_head_dim": 128,
            "vocab_size": 129280,
            "topk_method": "noaux_tc",
            "num_nextn_predict_layers": 1,
        },
    ),
    "dsv2-lite": (
        15.7,
        {
            "model_type": "deepseek_v2",
            "hidden_size": 2048,
            "num_hidden_layers": 27,
            "num_attention_heads": 16,
            "num_key_value_heads": 16,
            "intermediate_size": 10944,
            "moe_intermediate_size": 1408,
            "n_routed_experts": 64,
            "n_shared_experts": 2,
            "num_experts_per_tok": 6,
            "first_k_dense_replace": 1,
            "kv_lora_rank": 512,
            "q_lora_rank": None,
            "qk_rope_head_dim": 64,
            "qk_nope_head_dim": 128,
            "v_head_dim": 128,
            "vocab_size": 102400,
        },
    ),
    "gemma2-9b": (
        9.24,
        {
            "model_type": "gemma2",
            "hidden_size": 3584,
            "num_hidden_layers": 42,
            "num_attention_heads": 16,
            "num_key_value_heads": 8,
            "head_dim": 256,
            "intermediate_size": 14336,
            "vocab_size": 256000,
            "sliding_window": 4096,
        },
    ),
    "gemma3-27b": (
        27.0,
        {
            "model_type": "gemma3",
            "text_config": {
                "model_type": "gemma3_text",
                "hidden_size": 5376,
                "num_hidden_layers": 62,
                "num_attention_heads": 32,
                "num_key_value_heads": 16,
                "head_dim": 128,
                "intermediate_size": 21504,
                "sliding_window": 1024,
            },
            "vision_config": {},
        },
    ),
    "gemma3-4b": (
        3.88,
        {
            "model_type": "gemma3",
            "text_config": {
                "model_type": "gemma3_text",
                "hidden_size": 2560,
                "num_hidden_layers": 34,
                "intermediate_size": 10240,
                "sliding_window": 1024,
            },
            "vision_config": {},
        },
    ),
    "gpt-oss-20b": (
        20.9,
        {
            "model_type": "gpt_oss",
            "hidden_size": 2880,
            "num_hidden_layers": 24,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "head_dim": 64,
            "intermediate_size": 2880,
            "num_local_experts": 32,
            "num_experts_per_tok": 4,
            "vocab_size": 201088,
            "sliding_window": 128,
            "layer_types": [
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
                "sliding_attention",
                "full_attention",
            ],
            "attention_bias": True,
            "tie_word_embeddings": False,
        },
    ),
    "phi3-mini": (
        3.82,
        {
            "model_type": "phi3",
            "hidden_size": 3072,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 32,
            "intermediate_size": 8192,
            "vocab_size": 32064,
            "sliding_window": 2047,
        },
    ),
    "phi4": (
        14.7,
        {
            "model_type": "phi3",
            "hidden_size": 5120,
            "num_hidden_layers": 40,
            "num_attention_heads": 40,
            "num_key_value_heads": 10,
            "intermediate_size": 17920,
            "vocab_size": 100352,
            "sliding_window": None,
        },
    ),
    "phi2": (
        2.78,
        {
            "model_type": "phi",
            "hidden_size": 2560,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "intermediate_size": 10240,
            "vocab_size": 51200,
        },
    ),
    "phi3.5moe": (
        41.9,
        {
            "model_type": "phimoe",
            "hidden_size": 4096,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "intermediate_size": 6400,
            "num_local_experts": 16,
            "num_experts_per_tok": 2,
            "vocab_size": 32064,
            "attention_bias": True,
        },
    ),
    "mistral7b": (
        7.24,
        {
            "model_type": "mistral",
            "hidden_size": 4096,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "intermediate_size": 14336,
            "vocab_size": 32000,
            "sliding_window": 4096,
        },
    ),
    "kimi": (
        1026,
        {
            "model_type": "kimi_k2",
            "hidden_size": 7168,
            "num_hidden_layers": 61,
            "num_attention_heads": 64,
            "num_key_value_heads": 64,
            "intermediate_size": 18432,
            "moe_intermediate_size": 2048,
            "n_routed_experts": 384,
            "n_shared_experts": 1,
            "num_experts_per_tok": 8,
            "first_k_dense_replace": 1,
            "kv_lora_rank": 512,
            "q_lora_rank": 1536,
            "qk_rope_head_dim": 64,
            "qk_nope_head_dim": 128,
            "v_head_dim": 128,
            "vocab_size": 163840,
        },
    ),
}


def read(name, **changes):
    """One of the shapes, with keys changed; None drops a key."""
    values = {**SHAPES[name][1], **changes}
    return read_config(json.dumps({key: value for key, value in values.items() if value is not None}), name)


@table("name", SHAPES)
def test_recounted_parameters_match_what_is_published(name):
    """Every family's shape gives its published total within 0.5 % (publishers print three digits)."""
    published, values = SHAPES[name]
    config = read_config(json.dumps(values), name)
    assert config.model.params / 1e9 == pytest.approx(published, rel=5e-3)
    assert config.parameters.total == config.model.params
    assert config.model.active_params <= config.model.params
    assert config.model.yours
    assert config.unread == ()


def test_kinds_of_attention_are_told_apart():
    """MLA by its latent, GQA by fewer KV heads, MHA by as many."""
    assert read("dsv3").model.attention is Attention.MLA
    assert read("llama3-8b").model.attention is Attention.GQA
    assert read("phi3-mini").model.attention is Attention.MHA


def test_windows_follow_the_family_or_the_layers_listed():
    """Gemma 2 alternates, Gemma 3 keeps one in six full, GPT-OSS lists them, Qwen2 leaves them off."""
    config = {name: read(name).model for name in ("gemma2-9b", "gemma3-27b", "gpt-oss-20b", "qwen2.5-7b")}
    assert [(m.window, m.window_layers) for m in config.values()] == [
        (4096, 21),
        (1024, 52),
        (128, 12),
        (None, 0),
    ]


def test_only_text_is_counted_and_said():
    """A vision model's text part is counted, with a note."""
    assert any("vision" in note for note in read("gemma3-4b").notes)
    assert any("multi-token" in note for note in read("dsv3").notes)


def test_an_unknown_kind_with_known_keys_is_read_with_a_note():
    """A new name for a Llama-like shape is read, and the note says how."""
    config = read("llama3-8b", model_type="brandnew")
    assert config.model.params == pytest.approx(8.03e9, rel=1e-3)
    assert any("unknown" in note for note in config.notes)


def test_keys_without_effect_are_listed():
    """A key nobody reads is named, so that nobody believes it counted."""
    assert read("llama3-8b", mystery_size=17).unread == ("mystery_size",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not JSON"),
        ("[1]", "JSON object"),
        ('{"model_type": "xlstm", "state_size": 16}', "state_size"),
        ('{"model_type": "resnet"}', "model_type"),
        ('{"model_type": "llama", "hidden_size": 4096}', "num_hidden_layers"),
    ],
)
def test_what_is_no_decoder_is_refused_in_one_line(text, told):
    """Every refusal is one line that says what is missing or strange."""
    with pytest.raises(InputError, match=told) as refusal:
        read_config(text)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"hidden_size": "wide"}, "hidden_size"),
        ({"num_hidden_layers": -1}, "num_hidden_layers"),
        ({"num_key_value_heads": 7}, "num_key_value_heads"),
        ({"vocab_size": None}, "vocab_size"),
        ({"tie_word_embeddings": "no"}, "tie_word_embeddings"),
    ],
)
def test_an_impossible_dimension_is_named(changes, told):
    """The line names the key that cannot be used."""
    with pytest.raises(InputError, match=told):
        read("llama3-8b", **changes)


@pytest.mark.parametrize("listed", [["a"], [None], "0,1"])
def test_a_list_of_layers_that_is_none_is_refused(listed):
    """Layers without experts are whole numbers, and anything else is one line."""
    with pytest.raises(InputError, match="mlp_only_layers"):
        read("mixtral-8x7b", mlp_only_layers=listed)


def test_more_active_experts_than_experts_are_refused():
    """A router cannot send a token to more experts than there are."""
    with pytest.raises(InputError, match="num_experts_per_tok"):
        read("mixtral-8x7b", num_experts_per_tok=9)


@given(
    st.dictionaries(
        st.sampled_from(sorted(SHAPES["dsv3"][1])), st.none() | st.integers() | st.text(max_size=5)
    )
)
def test_any_damage_to_a_config_is_read_or_refused(changes):
    """Whatever value a key holds, the answer is a model or one line: never another exception."""
    try:
        config = read("dsv3", **changes)
    except InputError as refusal:
        assert "\n" not in str(refusal)  # noqa: PT017
    else:
        assert config.model.params > 0
