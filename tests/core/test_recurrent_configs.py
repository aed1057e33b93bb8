"""Models without attention, and LFM2: parameters, KV cache and state from their config.json."""

import json
from dataclasses import replace

import pytest

from core import catalog
from core.calculators.training import Layout, Scenario, answer
from core.checks import InputError
from core.workload.config import config_model, read_config
from core.workload.transformer.kv import state_bytes

MAMBA = {
    "model_type": "mamba",
    "hidden_size": 2560,
    "num_hidden_layers": 64,
    "state_size": 16,
    "intermediate_size": 5120,
    "conv_kernel": 4,
    "time_step_rank": 160,
    "expand": 2,
    "use_bias": False,
    "use_conv_bias": True,
    "vocab_size": 50280,
    "pad_vocab_size_multiple": 8,
}
FALCON = MAMBA | {
    "model_type": "falcon_mamba",
    "hidden_size": 4096,
    "intermediate_size": 8192,
    "time_step_rank": 256,
    "expand": 16,
    "vocab_size": 65024,
    "tie_word_embeddings": False,
}
CODESTRAL = {
    "model_type": "mamba2",
    "hidden_size": 4096,
    "num_hidden_layers": 64,
    "num_heads": 128,
    "head_dim": 64,
    "state_size": 128,
    "n_groups": 8,
    "conv_kernel": 4,
    "expand": 2,
    "use_bias": False,
    "use_conv_bias": True,
    "rms_norm": True,
    "vocab_size": 32768,
    "tie_word_embeddings": False,
}
LFM2 = {
    "model_type": "lfm2",
    "hidden_size": 2048,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "block_ff_dim": 12288,
    "block_auto_adjust_ff_dim": True,
    "block_ffn_dim_multiplier": 1.0,
    "block_multiple_of": 256,
    "conv_L_cache": 3,
    "conv_bias": False,
    "full_attn_idxs": [2, 5, 8, 10, 12, 14],
    "vocab_size": 65536,
    "tie_embedding": True,
}
PUBLISHED = {
    "Mamba 2.8B": (MAMBA, 2_768_345_600),
    "Falcon Mamba 7B": (FALCON, 7_272_665_088),
    "Mamba Codestral 7B": (CODESTRAL, 7_285_403_648),
    "LFM2 1.2B": (LFM2, 1_170_340_608),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_total_of_a_published_model_comes_out_to_the_last_value(name):
    """As its publisher's weights add up, nothing left unread."""
    config, total = PUBLISHED[name]
    read = read_config(json.dumps(config), name)

    assert read.parameters.total == total
    assert read.unread == ()


def test_a_model_without_attention_keeps_a_state_and_no_cache():
    """Codestral: 128 heads of 128 x 64 values in FP32 and three inputs of 10,240 channels in every layer."""
    model = config_model(CODESTRAL).model
    state, taps = 128 * 128 * 64 * 4, 10240 * 3 * 2

    assert model.attention_layers == model.plain_layers == 0
    assert state_bytes(model) == 64 * (state + taps)


def test_short_convolutions_keep_their_last_inputs_alone():
    """LFM2: ten layers with two inputs of 2,048 channels each, six layers that attend."""
    model = config_model(LFM2).model

    assert (model.attention_layers, model.state.layers, model.plain_layers) == (6, 10, 16)
    assert state_bytes(model) == 10 * 2 * 2048 * 2


def test_layers_by_name_say_the_same_as_their_numbers():
    """Newer files of LFM2 name every layer."""
    kinds = ["full_attention" if layer in LFM2["full_attn_idxs"] else "conv" for layer in range(16)]
    named = {name: value for name, value in LFM2.items() if name != "full_attn_idxs"} | {"layer_types": kinds}

    assert config_model(named).model.params == config_model(LFM2).model.params


@pytest.mark.parametrize("name", PUBLISHED)
def test_training_answers_with_the_interval_of_a_guess(name):
    """Nothing is fitted to such layers: 40 % to either side, and more above where the TP overlap is not stated."""
    model = config_model(PUBLISHED[name][0]).model
    job = Scenario(catalog.system("dgx-h100"), model, Layout(tp=2, dp=4), global_batch=64)
    ours, stated = answer(job), answer(replace(job, tp_overlap=job.overlap.tp))

    assert stated.step_s == ours.step_s
    assert stated.high_s == pytest.approx(1.4 * ours.step_s)
    assert stated.high_s <= ours.high_s < 1.1 * stated.high_s
    assert 0.1 < ours.mfu < 0.7


def test_a_width_that_is_no_multiple_is_refused():
    """A Mamba's inner width is a whole factor of its stream."""
    with pytest.raises(InputError, match="intermediate_size 5000 is no multiple of hidden_size 2560"):
        config_model(MAMBA | {"intermediate_size": 5000})


def test_what_no_model_could_be_is_refused_by_the_files_own_key():
    """Numbers that none is, lists that do not name every layer, widths that contradict each other."""
    heads, narrow = {"num_heads": CODESTRAL["num_heads"] + 1}, {"head_dim": 32}
    for config, changes, key in (
        *((LFM2, {"block_ffn_dim_multiplier": odd}, "block_ffn_dim_multiplier") for odd in ODD_NUMBERS),
        (LFM2, {"layer_types": ["full_attention"] * 20}, "layer_types"),
        (LFM2, {"layer_types": ["conv"] * 5}, "layer_types"),
        (LFM2, {"layer_types": ["mamba"] * 16}, "layer_types"),
        (LFM2, {"layer_types": "conv"}, "layer_types"),
        (LFM2, {"full_attn_idxs": [100]}, "full_attn_idxs"),
        (LFM2, {"full_attn_idxs": [[1], {}]}, "full_attn_idxs"),
        (LFM2, {"full_attn_idxs": 3}, "full_attn_idxs"),
        (CODESTRAL, heads, "num_heads"),
        (CODESTRAL, narrow, "head_dim"),
        (CODESTRAL, {"state_size": "x"}, "state_size"),
        (CODESTRAL, {"num_heads": None}, "num_heads is missing"),
    ):
        with pytest.raises(InputError, match=key):
            config_model(config | changes)


ODD_NUMBERS = (float("nan"), float("inf"), 10**400, -1, 0, True, "x")
