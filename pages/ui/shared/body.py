"""What stands below the bar of the question: an edit of an input of the page's own runs it alone."""

from copy import copy
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from db.errors import NotAllowedError
from pages.ui.shared import bound, chapters, person, record, save, undo
from pages.ui.shared.question import software
from pages.ui.shared.question_link import PAGES as CALCULATORS

_FRAME = "_body_frame"


def draw(page: StreamlitPage) -> None:
    """The page and what belongs to its end, by the frame, once the bar stands."""
    if page.url_path not in CALCULATORS:
        _drawn(page)
        return
    bound.mark()
    record.mark()
    st.session_state[_FRAME] = _frame(page.url_path)
    _alone(copy(page))


@st.fragment
def _alone(page: StreamlitPage) -> None:
    """The page as a run of its own; where it changes the frame around it, that runs too."""
    context = get_script_run_ctx()
    if context is not None and context.fragment_ids_this_run:
        if not _allowed() or undo.first() or st.session_state[_FRAME] != _frame(page.url_path):
            st.rerun()
        undo.note()
        bound.resume()
        record.resume()
    _drawn(copy(page))  # a page runs once


def _drawn(page: StreamlitPage) -> None:
    page.run()
    chapters.link(page.url_path)
    save.popover()


def _frame(page: str) -> tuple[Any, ...]:
    """What the bar shows that the page below it may change."""
    values = {key: st.session_state.get(key) for key in record.marked().inputs}
    return values, software.expected(page).label


def _allowed() -> bool:
    """Whether whoever is here may still be here."""
    try:
        person.current()
    except NotAllowedError:
        return False
    return True
