"""Numbers, formula and sources below an answer: folded away, drawn and sent only once the reader opens them."""

from collections.abc import Callable

import streamlit as st

KEY = "_numbers"
"""Of the expander, one a page. Another page begins with its own closed."""


@st.fragment
def numbers(title: str, draw: Callable[[], object]) -> None:
    """
    An expander that a browser does not draw anew with every edit while it is closed.

    Args:
        title: Its label.
        draw: Draws its content. It notes nothing in the page's record: it is not called where it is closed.
    """
    with st.expander(title, icon=":material/functions:", key=KEY, on_change="rerun") as box:
        if box.open:
            draw()
