"""Families with a spelling of their own, recounted to their publishers' three digits."""

import json

import pytest

from core.checks import InputError
from core.workload.config import read_config
from tests.each import table

GPT = ("n_embd", "n_layer", "n_head")
OWN = {
    "GPT-2": (0.124, "gpt2", (768, 12, 12), {"n_positions": 1024, "vocab_size": 50257}),
    "GPT-2 XL": (1.56, "gpt2", (1600, 48, 25), {"n_positions": 1024, "vocab_size": 50257, "n_inner": None}),
    "GPT-J 6B": (6.05, "gptj", (4096, 28, 16), {"n_positions": 2048, "vocab_size": 50400}),
    "BLOOM": (176, "bloom", (14336, 70, 112), {"vocab_size": 250880}),
    "Granite 20B": (20.1, "gpt_bigcode", (6144, 52, 48), {"n_positions": 8192, "vocab_size": 49152}),
    "MPT 30B": (30.0, "mpt", (7168, 48, 64), {"vocab_size": 50432, "expansion_ratio": 4, "no_bias": True}),
    "DBRX": (
        132,
        "dbrx",
        (6144, 40, 48),
        {
            "vocab_size": 100352,
            "attn_config": {"kv_n_heads": 8, "rope_theta": 5e5},
            "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4},
        },
    ),
}
COMMON = ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size")
FALCON = {"new_decoder_architecture": True, "num_kv_heads": 8, "multi_query": True, "bias": False}
SHARED = {
    "GPT-NeoX 20B": (20.6, "gpt_neox", (6144, 44, 64, 50432), {"intermediate_size": 24576}),
    "Pythia 6.9B": (6.86, "gpt_neox", (4096, 32, 32, 50432), {"intermediate_size": 16384}),
    "Falcon 7B": (6.92, "falcon", (4544, 32, 71, 65024), {"multi_query": True, "bias": False}),
    "Falcon RW 1B": (1.31, "falcon", (2048, 24, 32, 50304), {"multi_query": False, "bias": True}),
    "Falcon 40B": (41.3, "falcon", (8192, 60, 128, 65024), FALCON),
    "OPT 6.7B": (6.66, "opt", (4096, 32, 32, 50272), {"ffn_dim": 16384, "max_position_embeddings": 2048}),
    "Qwen 7B": (7.72, "qwen", (4096, 32, 32, 151936), {"intermediate_size": 22016, "kv_channels": 128}),
    "EXAONE 4 32B": (
        32.0,
        "exaone4",
        (5120, 64, 40, 102400),
        {"num_key_value_heads": 8, "intermediate_size": 27392, "sliding_window_pattern": "LLLG"},
    ),
}
PUBLISHED = {
    **{
        name: (total, {"model_type": kind} | dict(zip(GPT, dims, strict=True)) | more)
        for name, (total, kind, dims, more) in OWN.items()
    },
    **{
        name: (total, {"model_type": kind} | dict(zip(COMMON, dims, strict=True)) | more)
        for name, (total, kind, dims, more) in SHARED.items()
    },
}


@table("name", PUBLISHED)
def test_another_spelling_is_counted_like_the_common_one(name):
    """The recounted total agrees with the publisher's figure within half a percent."""
    total, sizes = PUBLISHED[name]
    config_ = read_config(json.dumps(sizes))

    assert config_.parameters.total / 1e9 == pytest.approx(total, rel=0.005)
    assert not any("unknown" in note for note in config_.notes)


def test_a_falcon_shares_its_embedding_unless_it_says_otherwise():
    """Its library ties the head where a config is silent, though the file of 7B holds the matrix twice."""
    sizes = PUBLISHED["Falcon 7B"][1]
    tied, apart = (read_config(json.dumps(sizes | more)) for more in ({}, {"tie_word_embeddings": False}))

    assert apart.parameters.total - tied.parameters.total == 65024 * 4544


@pytest.mark.parametrize("part", ["attn_config", "ffn_config"])
def test_a_nested_part_of_another_type_is_refused(part):
    """A list where experts are told would make a dense model of DBRX without a word."""
    with pytest.raises(InputError, match=f"{part} is an object"):
        read_config(json.dumps(PUBLISHED["DBRX"][1] | {part: [1]}))


def test_the_old_falcon_keeps_one_key_and_value_head():
    """Multi-query attention caches a single head, whatever the number of queries."""
    value = read_config(json.dumps(PUBLISHED["Falcon 7B"][1])).model
    eight = read_config(json.dumps(PUBLISHED["Falcon 40B"][1])).model

    assert (value.kv_heads, value.heads, eight.kv_heads) == (1, 71, 8)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"model_type": ["llama"]}, "model_type is a name"),
        ({"hidden_size": 4097}, "must divide hidden_size 4097"),
        ({"attn_type_list": [0, 1]}, "attn_type_list is no key of a plain attention decoder"),
        ({"type_vocab_size": 2}, "type_vocab_size is no key of a plain attention decoder"),
        ({"model_type": "opt", "word_embed_proj_dim": 512}, "word_embed_proj_dim 512 differs"),
    ],
)
def test_a_shape_that_would_be_miscounted_is_refused_in_one_line(change, told):
    """Encoders, mixed attention, odd widths and wrong types name the key that stands in the way."""
    plain = dict(zip(COMMON, (4096, 32, 32, 32000), strict=True))
    plain |= {"model_type": "llama", "intermediate_size": 11008, "max_position_embeddings": 2048}
    with pytest.raises(InputError, match=told) as caught:
        read_config(json.dumps(plain | change))
    assert "\n" not in str(caught.value)


def test_numbers_beyond_reading_and_a_byte_order_mark():
    """A number of thousands of digits is no JSON here; a mark that editors write first is skipped."""
    with pytest.raises(InputError, match="not JSON"):
        read_config('{"hidden_size": 1' + "0" * 5000 + "}")
    marked = "\ufeff" + json.dumps(PUBLISHED["GPT-2"][1])
    assert read_config(marked).family == "gpt2"


def test_stored_quantization_is_said():
    """A config of quantized weights says so: the sizes are counted in the format that is chosen."""
    sizes = PUBLISHED["Falcon 40B"][1] | {"quantization_config": {"quant_method": "fp8"}}

    assert any("quantized (fp8)" in note for note in read_config(json.dumps(sizes)).notes)
