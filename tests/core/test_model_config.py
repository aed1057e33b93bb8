"""A Hugging Face config.json: read, recounted, or refused in one line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checks import InputError
from core.workload import Attention
from core.workload.config import read_config
from tests.core.config_shapes import SHAPES
from tests.each import table


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
        ("{}", "config: an empty object; paste the whole config.json"),
        ('{"vocab_size": 32000}', "config: model_type is missing; one of llama"),
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
