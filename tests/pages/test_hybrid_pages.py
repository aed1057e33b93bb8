"""Models whose layers differ on the pages: a state beside the cache, a refusal where a step is not computed."""

import pytest


@pytest.mark.parametrize("name", ["nvl72", "kv_transfer"])
def test_state_stands_beside_the_cache(visit, name):
    """Capacity and transfer of Qwen3-Next name the state of its linear-attention layers."""
    app = visit(name, model="qwen3-next-80b-a3b")
    labels = [metric.label for metric in app.metric]

    assert not app.exception
    assert "State per request" in labels or "KV cache and state" in labels


@pytest.mark.parametrize("name", ["training", "layouts"])
def test_training_of_sparse_attention_is_refused_in_words(visit, name):
    """A page says which layers have no training step instead of making one up."""
    app = visit(name, model="deepseek-v3.2")
    said = " ".join(str(part.value) for part in [*app.error, *app.warning, *app.markdown, *app.info])

    assert not app.exception
    assert "sparse attention with an indexer" in said


def test_training_of_a_hybrid_says_that_it_is_not_measured(visit):
    """A step of Mamba-2 layers is computed, and the page says that no table holds one."""
    app = visit("training", model="nemotron-h-47b")
    said = " ".join(
        str(part.value) for part in [*app.error, *app.warning, *app.markdown, *app.info, *app.caption]
    )

    assert not app.exception
    assert "not measured" in said
