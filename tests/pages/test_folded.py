"""What a page folds away below its answer: noted in every run, drawn once it is opened."""

from pages.ui.shared.folded import KEY
from tests.each import table

PAGES = ("collectives", "tensor_parallel", "kv_transfer")


@table("page", PAGES)
def test_numbers_are_noted_in_every_run_and_drawn_once_opened(page, visit):
    """Closed, a page sends no formula, yet its document has table, assumptions and sources; opened, it shows them, noted once."""
    app = visit(page)
    noted = app.session_state["_page_record"]
    before = len(noted.tables), list(noted.sources)
    assert noted.sources
    assert not app.latex
    assert not any("**Sources**" in text.value for text in app.markdown)

    app.session_state[KEY] = True
    app.run()
    noted = app.session_state["_page_record"]
    assert app.latex
    assert any("**Sources**" in text.value for text in app.markdown)
    assert (len(noted.tables), list(noted.sources)) == before
    assert any("**Assumptions**" in text.value for text in app.markdown) == bool(noted.assumptions)
