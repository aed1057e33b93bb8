"""Serving in a real browser: a pasted config goes along, two scenarios differ, phones show everything."""

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
PAGES = {"scenarios": "Compare scenarios (A/B)", "kv_transfer": "KV cache transfer"}


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [390, 1280])
def test_page_opens_clean(visit, path, width):
    """The page shows its title and answer, and nothing is wider than the screen."""
    visitor = visit(path, viewport={"width": width, "height": 900})

    assert visitor.page.locator("h1").first.inner_text() == PAGES[path]
    assert len(visitor.headline.inner_text()) > 40
    assert visitor.page.locator('[data-testid="stException"]').count() == 0
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_pasted_config_goes_along(visit):
    """Paste a config on one page, walk to the next by the menu: it is the model there."""
    visitor = visit("tensor_parallel?model=config.json")
    page = visitor.page
    page.get_by_label("... or paste its text").fill(json.dumps(LLAMA_8B))
    page.keyboard.press("Control+Enter")
    visitor.headline.wait_for()
    visitor.settle()
    assert "pasted config.json" in visitor.headline.inner_text()

    page.get_by_text("Plan", exact=True).first.click()
    page.get_by_text("NVL72 capacity", exact=True).first.click()
    page.wait_for_url("**/nvl72*")
    visitor.headline.wait_for()
    visitor.settle()
    assert "pasted config.json" in visitor.headline.inner_text()


def test_one_side_changes_the_comparison(visit):
    """Eight B200 instead of four is another sentence."""
    visitor = visit("scenarios")
    before = visitor.headline.inner_text()
    field = visitor.page.get_by_label("TP degree", exact=True).nth(1)
    field.fill("8")
    field.press("Enter")
    visitor.page.wait_for_function(
        "before => document.querySelector('.st-key-headline')?.innerText !== before", arg=before
    )

    visitor.settle()
    assert "b_tp=8" in visitor.page.url
