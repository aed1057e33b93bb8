"""Serving in a real browser: a pasted config goes along, and two scenarios differ."""

import json

LLAMA_8B = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}


def test_a_pasted_config_goes_along(visit):
    """Paste a config on one page, walk to the next by the menu: it is the model there."""
    visitor = visit("tensor_parallel?model=config.json")
    page = visitor.page
    visitor.part("model")
    page.get_by_label("... or paste its text").fill(json.dumps(LLAMA_8B))
    page.keyboard.press("Control+Enter")
    visitor.headline.wait_for()
    visitor.settle()
    assert "pasted config.json" in visitor.headline.inner_text()

    page.keyboard.press("Escape")
    visitor.walk("nvl72")
    assert "pasted config.json" in visitor.headline.inner_text()


def test_one_side_changes_the_comparison(visit):
    """Eight B200 instead of four is another sentence."""
    visitor = visit("scenarios")
    before = visitor.headline.inner_text()
    field = visitor.field("b_tp")
    field.fill("8")
    field.press("Enter")
    visitor.page.wait_for_function(
        "before => document.querySelector('.st-key-headline')?.innerText !== before", arg=before
    )

    visitor.settle()
    assert "b_tp=8" in visitor.page.url
