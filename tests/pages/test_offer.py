"""Inputs without an answer: the page says why and offers the nearest that have one, a click away."""

import pytest


def offered(app):
    """The button of the offer."""
    return app.button(key="_offer")


@pytest.mark.parametrize(
    ("page", "query", "label", "key"),
    [
        ("tensor_parallel", {"system": "rtx-4090-x2"}, "Use TP2", "tp"),
        ("tensor_parallel", {"tp": 7}, "Use TP4", "tp"),
        ("kv_transfer", {"system": "rtx-4090-x4"}, "Use TP4", "kv_gpus"),
        ("training", {"system": "rtx-4090-x4", "gpus": 4}, "Use TP4 PP1 CP1", "train_tp"),
    ],
)
def test_a_click_leads_to_an_answer_and_undo_back(visit, headline, page, query, label, key):
    """A degree that the machine cannot have stays in its field until the reader takes the one offered."""
    app = visit(page, **query)
    before = app.number_input(key=key).value
    assert any(box.value for box in app.warning)
    assert offered(app).label == label

    offered(app).click().run()
    assert headline(app)

    app.button(key="_undo_edit").click().run()
    assert app.number_input(key=key).value == before
    assert offered(app).label == label


def test_nothing_is_offered_where_nothing_nearer_is_known(visit):
    """A size that cannot be read has no neighbour."""
    app = visit("collectives", size="much")

    assert app.warning
    assert not [button for button in app.button if button.key == "_offer"]
