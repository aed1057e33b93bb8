"""Undo and Reset: the inputs before an edit come back, on their own page; a reset can be undone."""

import pytest

from pages.ui.shared import undo


def edit(app, key, value):
    """Type another number."""
    app.number_input(key=key).set_value(value)
    return app.run()


def values(app):
    """Every number of the page by its key."""
    return {field.key: field.value for field in app.number_input}


def press(app, name):
    """Undo or Reset."""
    app.button(key=f"_undo_{name}").click()
    return app.run()


def test_undo_takes_edits_back_one_by_one(visit, headline):
    """Two edits, two presses: the inputs and the answer of the beginning."""
    app = visit("tensor_parallel")
    first, sentence = values(app), headline(app)
    second = values(edit(app, "tokens", 64))
    edit(app, "tp", 4)

    assert values(press(app, "edit")) == second
    assert values(press(app, "edit")) == first
    assert headline(app) == sentence
    assert app.button(key="_undo_edit").disabled


def test_reset_gives_the_defaults_and_can_be_undone(visit):
    """All inputs of the page at once, those of a link too."""
    usual = values(visit("tensor_parallel"))
    app = visit("tensor_parallel", tokens=64, tp=4, sequence_parallel="true")
    linked = values(app)

    assert values(press(app, "reset")) == usual
    assert not app.toggle(key="sequence_parallel").value
    assert values(press(app, "edit")) == linked
    assert app.toggle(key="sequence_parallel").value


def test_an_edit_of_another_page_is_undone_there(visit):
    """Edited on one page, undone from the next: the reader sees what comes back."""
    app = edit(visit("tensor_parallel"), "tokens", 64)
    app.switch_page("collectives.py")
    app.run()
    press(app, "edit")

    assert app.title[0].value == "Tensor parallelism"
    assert app.number_input(key="tokens").value is None


def test_as_many_edits_are_kept_as_a_reader_remembers(visit):
    """The oldest are forgotten."""
    app = visit("tensor_parallel")
    app.session_state["_undo_former"] = [
        undo.Snapshot("tensor_parallel", {"tokens": n}) for n in range(undo.MOST)
    ]
    edit(app, "tokens", 64)
    former = app.session_state["_undo_former"]

    assert len(former) == undo.MOST
    assert former[0].values == {"tokens": 1}


def test_nothing_is_undone_on_a_fresh_page(visit):
    """The button waits until there is something to undo."""
    assert visit("collectives").button(key="_undo_edit").disabled


@pytest.mark.parametrize("key", ["rates", "system"])
def test_choices_come_back_too(visit, headline, key):
    """Another system or other rates, undone: the same sentence."""
    app = visit("collectives")
    before = headline(app)
    if key == "rates":
        app.button_group(key="rates").select("spec").run()
    else:
        app.selectbox(key="system").select("dgx-b200").run()
    assert headline(app) != before

    press(app, "edit")
    assert headline(app) == before
