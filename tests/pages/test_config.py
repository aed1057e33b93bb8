"""A config.json of one's own: uploaded or pasted, broken down, explained, kept from page to page."""

import json

import pytest

LLAMA_8B = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}
PAGES = {
    "tensor_parallel": "model",
    "nvl72": "model",
    "gradient_sync": "model",
    "kv_transfer": "model",
}


def paste(app, key, words):
    """Paste a config's text into the model's widget."""
    app.text_area(key=f"_{key}_text").input(words)
    return app.run()


def said(app):
    """All captions of a page."""
    return " ".join(item.value for item in app.caption)


@pytest.mark.parametrize("page", PAGES)
def test_a_pasted_config_is_counted_by_part(visit, page):
    """The publisher's 8.03 billion parameters of Llama 3 8B come out of its shape, part by part."""
    app = paste(visit(page, **{PAGES[page]: "config.json"}), PAGES[page], json.dumps(LLAMA_8B))

    assert not app.exception
    assert "8.03 B parameters" in said(app)
    table = next(
        item.value for item in app.dataframe if list(item.value) == ["part", "parameters (B)", "share"]
    )
    assert {"embedding", "attention", "dense MLP", "output head", "total"} <= set(table["part"])
    assert any("custom" in item.value for item in app.markdown if "badge" in item.value)


def test_a_config_lasts_from_page_to_page(visit, headline):
    """What was pasted on one page is the model of the next, and of the first again."""
    app = paste(visit("tensor_parallel", model="config.json"), "model", json.dumps(LLAMA_8B))
    for page in ("nvl72", "gradient_sync", "tensor_parallel"):
        app.switch_page(f"{page}.py")
        app.run()

        assert not app.exception
        assert app.selectbox(key=PAGES[page]).value == "config.json"
        assert "8.03 B parameters" in said(app)
    assert "pasted config.json" in headline(app)


def test_another_model_ends_it(visit):
    """Once a model of the catalog is chosen, the next page begins with its own."""
    app = paste(visit("tensor_parallel", model="config.json"), "model", json.dumps(LLAMA_8B))
    app.selectbox(key="model").select("llama-3.1-70b").run()
    app.switch_page("nvl72.py")
    app.run()

    assert app.selectbox(key="model").value != "config.json"


UNREADABLE = (
    (json.dumps(LLAMA_8B | {"num_key_value_heads": 7}), "num_key_value_heads"),
    ("not json at all", "not JSON"),
    ("[1, 2]", "JSON object"),
    (json.dumps({"model_type": "zamba2", "ssm_state_size": 16}), "ssm_state_size"),
    (json.dumps({key: value for key, value in LLAMA_8B.items() if key != "vocab_size"}), "vocab_size"),
)
"""What is pasted, and what of it is told."""


@pytest.mark.parametrize("page", PAGES)
def test_what_cannot_be_read_is_one_line(visit, page):
    """Whatever is pasted, one thing after another, the page says in a line what is wrong with it."""
    app = visit(page, **{PAGES[page]: "config.json"})
    for words, told in UNREADABLE:
        paste(app, PAGES[page], words)

        assert not app.exception
        assert any(told in box.value.replace("\\", "") for box in app.warning)


def test_unknown_keys_are_named(visit):
    """A key that changes nothing is named, so that nobody believes it was counted."""
    app = paste(
        visit("tensor_parallel", model="config.json"), "model", json.dumps(LLAMA_8B | {"frobnicate": 3})
    )

    assert "frobnicate" in said(app)


def test_an_unknown_family_is_told(visit):
    """A decoder of a name nobody knows is read as a Llama, and the page says so."""
    app = paste(visit("nvl72", model="config.json"), "model", json.dumps(LLAMA_8B | {"model_type": "novel"}))

    assert not app.exception
    assert "read as a Llama-like decoder" in said(app)
