"""Models with state-space, linear or sparse attention, recounted from their config.json and refused by name."""

import json

import pytest

from core.checks import InputError
from core.workload.config import config_model, read_config
from tests.core.hybrid_shapes import (
    DEEPSEEK_V32,
    KIMI_LINEAR,
    LATENT,
    MINIMAX_01,
    MINIMAX_M2,
    NEMOTRON_56B,
    PATTERN_56B,
    PUBLISHED,
    QWEN3_NEXT,
)
from tests.each import table


@table("name", PUBLISHED)
def test_total_of_a_published_hybrid(name):
    """The recounted total agrees with the publisher's figure within half a percent, nothing left unread."""
    total, config = PUBLISHED[name]
    read = read_config(json.dumps(config), name)
    assert read.model.params / 1e9 == pytest.approx(total, rel=0.005)
    assert sum(read.parameters.by_part().values()) == read.parameters.total
    assert read.unread == ()


def test_rounded_total_of_nemotron_h_56b():
    """The publisher rounds 56.3 B down to 56: ten layers of attention in 118, 54 of Mamba-2, 54 MLPs."""
    model = config_model(NEMOTRON_56B).model
    assert model.params / 1e9 == pytest.approx(56.3, abs=0.05)
    assert (model.attention_layers, model.state.layers, model.plain_layers) == (10, 54, 54)


@table(
    ("name", "active", "tables"),
    [
        ("Qwen3-Next 80B", 3.874929408, 2),
        ("Nemotron 3 Super 120B", 12.770216960, 2),
        ("Nemotron 3 Nano 30B", 3.2, 1),
        ("Jamba 1.5 Large", 94, 2),
        ("Step-3", 38, 1),
        ("LongCat-Flash", 27, 1),
        ("Jamba 1.5 Mini", 12, 2),
        ("MiniMax-Text-01", 45.9, 0),
        ("Granite 4.0 H Small", 8.8, 2),
    ],
)
def test_active_values_of_a_published_hybrid(name, active, tables):
    """Values that a token meets, as the publisher counts them: both tables of the vocabulary, one or none."""
    counted = config_model(PUBLISHED[name][1]).parameters
    ours = {2: counted.active, 1: counted.active_without_lookup, 0: counted.active_in_layers}[tables]
    assert ours / 1e9 == pytest.approx(active, rel=0.01)


def test_params_of_mistral_are_read_under_their_own_names():
    """Mistral Large 3's params.json: 673 B and 39 B active beside a vision encoder of 2.5 B; Mixtral 8x7B 46.7."""
    large = {
        "dim": 7168,
        "n_layers": 61,
        "hidden_dim": 16384,
        "n_heads": 128,
        "n_kv_heads": 128,
        "head_dim": 192,
        "vocab_size": 131072,
        "q_lora_rank": 1536,
        **LATENT,
        "moe": {
            "num_experts": 128,
            "num_experts_per_tok": 4,
            "num_shared_experts": 1,
            "expert_hidden_dim": 4096,
            "first_k_dense_replace": 3,
            "route_every_n": 1,
        },
        "vision_encoder": {"hidden_size": 1664},
    }
    read = read_config(json.dumps(large))
    assert read.model.params / 1e9 == pytest.approx(673, rel=0.005)
    assert read.parameters.active_without_lookup / 1e9 == pytest.approx(39, rel=0.005)
    assert len(read.notes) == 2
    assert read.unread == ()
    sizes = {"dim": 4096, "n_layers": 32, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8}
    moe = {"moe": {"num_experts": 8, "num_experts_per_tok": 2}}
    assert config_model(sizes | moe | {"vocab_size": 32000}).model.params / 1e9 == pytest.approx(
        46.7, rel=1e-3
    )
    assert config_model(sizes | {"vocab_size": 32000}).model.params / 1e9 == pytest.approx(7.24, rel=1e-3)


def test_minimax_m2_is_exact_and_its_name_rounds():
    """228.69 B by the tensors' sizes; its card says 230, which is 0.6 % more."""
    read = config_model(MINIMAX_M2 | {"num_mtp_modules": 3})
    assert read.model.params == 228_689_764_864
    assert read.notes == ("multi-token prediction layers are not counted",)


@pytest.mark.parametrize(
    ("published", "hidden", "layers", "dense", "experts", "width", "ffn", "norms"),
    [(355, 5120, 92, 3, 160, 1536, 12288, True), (106, 4096, 46, 1, 128, 1408, 10944, False)],
)
def test_glm_45_counts_its_prediction_layer(published, hidden, layers, dense, experts, width, ffn, norms):
    """GLM-4.5's 355 B hold a prediction layer and no vocabulary; the Air's 106 B are 106.85 B cut off."""
    config = {
        "model_type": "glm4_moe",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": 96,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "attention_bias": True,
        "use_qk_norm": norms,
        "intermediate_size": ffn,
        "vocab_size": 151552,
        "n_routed_experts": experts,
        "n_shared_experts": 1,
        "num_experts_per_tok": 8,
        "moe_intermediate_size": width,
        "first_k_dense_replace": dense,
        "num_nextn_predict_layers": 1,
    }
    read = config_model(config)
    assert "multi-token prediction layers are not counted" in read.notes
    one_more = config_model(config | {"num_hidden_layers": layers + 1}).parameters
    prediction = one_more.in_layers - read.parameters.in_layers + 2 * hidden * hidden
    total = read.parameters.in_layers + prediction if norms else read.parameters.total // 1e9 * 1e9
    assert total / 1e9 == pytest.approx(published, rel=0.001)


def test_shared_indexers_are_counted_once():
    """GLM-5.2 has an indexer in 21 of 78 layers; the others read what one of those picked."""
    kinds = ["full"] * 21 + ["shared"] * 40
    few, all_ = config_model(DEEPSEEK_V32 | {"indexer_types": kinds}), config_model(DEEPSEEK_V32)
    each = 1536 * 64 * 128 + 7168 * (128 + 64) + 2 * 128
    assert all_.model.params - few.model.params == 40 * each


@table(
    ("config", "line"),
    [
        (NEMOTRON_56B | {"hybrid_override_pattern": "MX*"}, "hybrid_override_pattern has the letters"),
        (NEMOTRON_56B | {"hybrid_override_pattern": None}, "hybrid_override_pattern has the letters"),
        (QWEN3_NEXT | {"linear_num_key_heads": 12}, "linear_num_key_heads 12 must divide"),
        (QWEN3_NEXT | {"linear_value_head_dim": None}, "linear_value_head_dim is missing"),
        (MINIMAX_01 | {"attn_type_list": None}, "attn_type_list is missing"),
        (KIMI_LINEAR | {"linear_attn_config": None}, "linear_attn_config is an object"),
        (KIMI_LINEAR | {"routed_expert_hidden_size": 3584}, "routed_expert_hidden_size: weights"),
        (KIMI_LINEAR | {"linear_attn_config": {"num_heads": 32}}, "has no full_attn_layers"),
        (PUBLISHED["Falcon-H1 7B"][1] | {"mamba_d_ssm": 6144}, "mamba_d_ssm 6144 is not"),
        (DEEPSEEK_V32 | {"index_n_heads": None}, "index_n_heads is missing"),
        (PUBLISHED["LongCat-Flash"][1] | {"n_routed_experts": None}, "n_routed_experts is missing"),
        (PUBLISHED["Step-3"][1] | {"moe_layers_enum": "4,x"}, "moe_layers_enum is a list"),
    ],
)
def test_incomplete_hybrid_is_refused_by_its_key(config, line):
    """A shape that lacks a size, or has weights nobody counts, is one line that names the key."""
    with pytest.raises(InputError, match=line) as caught:
        read_config(json.dumps(config))
    assert "\n" not in str(caught.value)


def _kimi_attends(*layers):
    return KIMI_LINEAR | {
        "linear_attn_config": KIMI_LINEAR["linear_attn_config"] | {"full_attn_layers": [*layers]}
    }


@pytest.mark.parametrize(
    ("config", "line"),
    [
        (
            QWEN3_NEXT | {"layer_types": ["full_attention"] * 100},
            "layer_types lists 100 layers, and num_hidden",
        ),
        (QWEN3_NEXT | {"layer_types": []}, "layer_types lists 0 layers"),
        (PUBLISHED["Granite 4.0 H Small"][1] | {"num_hidden_layers": 39}, "layer_types lists 40 layers"),
        (MINIMAX_01 | {"attn_type_list": [1] * 81}, "attn_type_list lists 81 layers"),
        (_kimi_attends(*range(1, 40)), "full_attn_layers has a number that is none of the 27 layers"),
        (_kimi_attends(0, 4), "full_attn_layers has a number"),
    ],
)
def test_a_list_of_layers_agrees_with_their_number(config, line):
    """More layers that attend than there are would leave fewer than none with a state."""
    with pytest.raises(InputError, match=line):
        config_model(config)


@pytest.mark.parametrize(
    ("name", "sizes", "line"),
    [
        ("LongCat-Flash", {"num_layers": 10**18}, "num_layers: a whole number from 1 to 3333"),
        ("LongCat-Flash", {"n_routed_experts": -5, "zero_expert_num": 5}, "n_routed_experts: a whole number"),
        ("LongCat-Flash", {"zero_expert_num": -256}, "zero_expert_num: a whole number"),
        ("Jamba 1.5 Mini", {"num_hidden_layers": 10**12}, "num_hidden_layers: a whole number"),
        ("Jamba 1.5 Mini", {"expert_layer_period": 0}, "expert_layer_period: a whole number"),
        ("Step-3", {"num_hidden_layers": 10**12}, "num_hidden_layers: a whole number"),
        ("Qwen3-Next 80B", {"num_hidden_layers": 10_001}, "num_hidden_layers: a whole number"),
    ],
)
def test_impossible_numbers_of_layers_and_experts_are_refused(name, sizes, line):
    """Before a list with an entry for each layer is built, and nothing is divided by no experts."""
    with pytest.raises(InputError, match=line):
        config_model(PUBLISHED[name][1] | sizes)


@pytest.mark.parametrize(("kind", "key"), [("zamba2", "mamba_d_state"), ("xlstm", "state_size")])
def test_state_space_models_that_nobody_described_are_refused_by_name(kind, key):
    """With shared blocks of attention, or a recurrence of its own, a model is refused instead of miscounted."""
    config = {"model_type": kind, "hidden_size": 4096, "num_hidden_layers": 64, "num_attention_heads": 32}
    with pytest.raises(InputError, match=f"{key} is no key of a plain attention decoder"):
        config_model(config | {key: 128, "vocab_size": 65024})


def test_nemotron_h_reads_a_list_of_blocks_as_its_pattern():
    """Newer files name every block instead of giving it a letter."""
    names = {"M": "mamba", "*": "attention", "-": "mlp"}
    listed = NEMOTRON_56B | {"hybrid_override_pattern": None}
    listed["layers_block_type"] = [names[letter] for letter in PATTERN_56B]
    assert config_model(listed).model.params == config_model(NEMOTRON_56B).model.params
