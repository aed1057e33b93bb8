"""Which section is open where an answer has other sections than the one before."""

from streamlit.testing.v1 import AppTest

LIMIT_S = 60


def page():
    """Two sections, in one order or the other."""
    import streamlit as st

    from pages.ui.shared import bound, record
    from pages.ui.shared.sections import Section, tabs

    bound.start()
    record.start("collectives", "Collectives")
    titles = ["Sweep", "Edge"] if st.toggle("other answer") else ["Edge", "Sweep"]
    tabs(*(Section(title, lambda shown=title: st.markdown(f"open: {shown}")) for title in titles))


def opened(named=None):
    """The open section of an answer, and of the next, which has another first one and perhaps an address that names one."""
    app = AppTest.from_function(page, default_timeout=LIMIT_S).run()
    before = app.markdown[0].value
    if named:
        app.query_params["tab"] = named
    app.toggle[0].set_value(True).run()
    assert not app.exception
    return before, app.markdown[0].value


def test_the_first_section_follows_the_answer_unless_the_address_names_one():
    """Nobody chose: the first one is open, whichever it is. The address names one: it is open, first or not."""
    assert opened() == ("open: Edge", "open: Sweep")
    assert opened("Edge") == ("open: Edge", "open: Edge")
    assert opened("Sweep") == ("open: Edge", "open: Sweep")
