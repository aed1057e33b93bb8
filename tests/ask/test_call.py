"""Commands called with a JSON object answer as the shell does, and read no file."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shell import call
from core.shell.call import FieldError
from core.shell.main import main
from tools import answers


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("tp", {"tokens": 8, "kv": "fp8", "sequence_parallel": True}, "--tokens 8 --kv fp8 --sequence-parallel"),
        ("collective", {"size": "16MiB", "latency_us": [1, 5], "domains": 2}, "--size 16MiB --latency-us 1,5 --domains 2"),
        ("train", {"tp": 8, "pp": 4, "gpus": 64, "no_dp_overlap": True}, "--tp 8 --pp 4 --gpus 64 --no-dp-overlap"),
        ("compare-systems", {"systems": ["dgx-h200", "dgx-b200"]}, "--systems dgx-h200,dgx-b200"),
        ("gradient-sync", {"gpus": 8, "params": 7e9}, "--ranks 8 --params 7e9"),
    ],
)  # fmt: skip
def test_an_answer_is_the_shells(capsys, name, values, words):
    """The same question by words and by fields has one answer, key by key."""
    main([name, "--json", *words.split()])

    assert call.answer(name, values) == json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("name", "values", "field", "part"),
    [
        ("tp", {"tokns": 3}, "tokns", "closest"),
        ("tp", {"tokens": 0}, "tokens", "at least 1"),
        ("tp", {"tokens": "8"}, "tokens", "a whole number"),
        ("tp", {"tokens": None}, "tokens", "left out"),
        ("tp", {"tokens": True}, "tokens", "a whole number"),
        ("tp", {"sequence_parallel": 1}, "sequence_parallel", "true or false"),
        ("tp", {"kv_heads": 3}, "layers", "a shape needs layers, hidden"),
        ("tp", {"model": {"hidden_size": 8}}, "model", "model_type"),
        ("tp", {"tpot_ms": 5, "target_ms": 6}, "tpot_ms", "twice"),
        ("collective", {"latency_us": [1, 2, 3]}, "latency_us", "one number or two"),
        ("collective", {"rates": "fitted:ours"}, "rates", "a fit as an object"),
        ("collective", {"system": "dgx"}, "system", "dgx-h100"),
        ("collective", {"system": "dgx-h100", "system_file": {}}, "system_file", "system_file"),
        ("predict", {}, "rows", "is needed"),
        ("predict", {"rows": [{"gpu": "H100"}]}, "rows", "missing column"),
        ("predict", {"rows": [{"gpu": ["H100"]}]}, "rows", "texts and numbers"),
        ("expect", {"output": "sheet.csv"}, "output", "unknown field"),
        ("predict", {"rows": [{}], "output": "x"}, "output", "unknown field"),
        ("tp", {"help": True}, "help", "unknown field"),
    ],
)
def test_what_cannot_be_used_is_named(name, values, field, part):
    """One line names the field as JSON has it, and what is allowed."""
    with pytest.raises(FieldError) as refusal:
        call.answer(name, values)

    assert refusal.value.field == field
    assert part in str(refusal.value)
    assert "--" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["config.json", "/etc/hostname", "../../etc/hostname"])
def test_no_file_of_the_server_is_read(tmp_path, monkeypatch, name):
    """A name of a file in place of its object is refused, whether the file is there or not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "secret"}')

    with pytest.raises(FieldError, match=r"model: .*(names a file|is unknown)") as refusal:
        call.answer("tp", {"model": name})

    assert "secret" not in str(refusal.value)


def test_a_file_comes_as_its_object():
    """A system file, a config.json and measured rows are given inline and answer as the catalog does."""
    systems = call.answer("systems", {})["systems"]
    file = next(item["system_file"] for item in systems if item["id"] == "dgx-h100")
    config = {
        "model_type": "llama",
        "num_hidden_layers": 4,
        "hidden_size": 512,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "intermediate_size": 1024,
        "vocab_size": 1000,
    }

    ours = call.answer("collective", {"system_file": file})
    assert ours["time_s"] == call.answer("collective", {"system": "dgx-h100"})["time_s"]
    assert call.answer("tp", {"model": config, "tp": 2})["layers"] == 4

    points = [answers.ROW | {"time_us": 500}]
    adapted = call.answer("predict", {"rows": [answers.ROW], "measured": points})["rows"][0]
    assert adapted["basis"].startswith("adapted")


@pytest.mark.parametrize("name", call.names())
def test_every_option_that_is_no_printing_is_a_field(name):
    """Each field has a type, and what it says of its default is a value that may be given."""
    schemas = call.inputs(name)["properties"]
    assert all({"type", "anyOf"} & set(schema) for schema in schemas.values())

    defaults = {field: schema["default"] for field, schema in schemas.items() if "default" in schema}
    values = answers.QUESTIONS[name][0]
    assert call.answer(name, defaults | values) == call.answer(name, values)


def test_the_described_answers_are_those_of_today():
    """The schemas of the answers are what the questions of every kind give now."""
    written = json.loads(answers.PLACE.read_text(encoding="utf-8"))

    assert written == answers.schemas(), "python -m tools.answers writes the schemas of today"


@given(st.dictionaries(st.sampled_from(sorted(call.inputs("tp")["properties"])), st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists, max_leaves=3)))  # fmt: skip
def test_whatever_is_sent_is_answered_or_refused(values):
    """No value of any field gets past the checks to a failure."""
    with suppress(FieldError):
        assert call.answer("tp", values)
