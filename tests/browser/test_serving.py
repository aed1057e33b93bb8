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


def test_two_saved_questions_are_compared(visit):
    """TP8 and TP4, saved one after the other and chosen as sides, differ by terms; the link holds both."""
    visitor = visit("tensor_parallel")
    page = visitor.page
    visitor.save("eight")
    field = visitor.field("tp")
    field.fill("4")
    field.press("Enter")
    visitor.settle()
    visitor.save("four")

    visitor.walk("scenarios")
    for letter, name in (("a", "eight"), ("b", "four")):
        page.locator(f".st-key-_side_{letter} button").first.click()
        page.locator(f".st-key-_{letter}_saved input").fill(name)
        page.keyboard.press("Enter")
        visitor.settle()
        page.locator(f".st-key-_{letter}_saved_use button").click()
        visitor.settle()
        page.keyboard.press("Escape")

    assert "B takes" in visitor.headline.inner_text()
    assert "name%3Deight" in page.url
    assert "name%3Dfour" in page.url
