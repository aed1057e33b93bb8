"""Deleted runs, former notes and former fits come back on the pages, in another session too."""

from db.store import shared
from tests.db.examples import simple
from tests.db.test_fits import FIT


def button(app, key):
    """A button by its key."""
    return next(button for button in app.button if button.key == key)


def test_another_session_restores_a_deleted_run(visit):
    """The trash is nobody's own: who deleted a run need not be there to bring it back."""
    first = visit("measurements")
    store = shared()
    (saved,) = store.save([simple()])
    store.delete(saved.id)
    assert not [key for key in (item.key for item in first.button) if key == "_trash_run_back"]

    second = visit("measurements")
    button(second, "_trash_run_back").click().run()

    assert not second.exception
    assert [row.id for row in store.runs().runs] == [saved.id]


def test_a_former_note_comes_back(visit):
    """What was written over is listed beside the selected run, with until when it stood."""
    visit("measurements")
    store = shared()
    (saved,) = store.save([simple()], note="before the update")
    store.annotate(saved.id, note="after")
    app = visit("measurements", runs=saved.id)
    (listed,) = app.selectbox(key="_former_note").options

    assert "before the update" in listed
    button(app, "_former_note_back").click().run()
    assert store.run(saved.id).row.note == "before the update"


def test_a_deleted_fit_comes_back(visit):
    """A fit that was deleted is brought back on the page that made it."""
    visit("my_cluster")
    store = shared()
    store.save_fit(FIT)
    store.delete_fit(FIT.name)
    app = visit("my_cluster")
    button(app, "_former_fit_back").click().run()

    assert not app.exception
    assert [fit.name for fit in store.fits()] == [FIT.name]
