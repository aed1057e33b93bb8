"""Parts of a page that are folded away: the address says which are open, so that a link opens them too."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.shared import address, record

KEY = "numbers"
"""Of the expander of numbers, formula and sources, one a page. Another page begins with its own closed."""
_PAGE = "_numbers_page"


def panel(title: str, key: str, icon: str) -> Any:
    """An expander, closed unless the address names it; its content is drawn in either state."""
    address.requested(key, address.on_or_off)
    return st.expander(title, icon=icon, key=key, bind="query-params")


@st.fragment
def numbers(title: str, draw: Callable[[], object]) -> None:
    """
    An expander that a browser does not draw anew with every edit while it is closed.

    Args:
        title: Its label.
        draw: Draws its content. It notes nothing in the page's record: it is not called where it is closed.
    """
    page = record.current().page
    if st.session_state.get(_PAGE) != page and KEY not in st.query_params:
        st.session_state.pop(KEY, None)
    st.session_state[_PAGE] = page
    with panel(title, KEY, ":material/functions:") as box:
        if box.open:
            draw()
