"""The choice of a project wherever something is kept; nothing where there is none."""

import streamlit as st

from db.projects import EVERYONE
from pages.ui.shared import stored

SEEN_BY = "Only its members and admins see what is kept in a project."


def choose(key: str, text: str = SEEN_BY, none: str = EVERYONE) -> str | None:
    """A project's name, or None where there is none or ``none`` was chosen: for everyone."""
    available = stored.projects()
    if not available:
        return None
    if st.session_state.get(key) not in (none, *available):
        st.session_state.pop(key, None)
    chosen = st.selectbox("Project", [none, *available], key=key, help=text)
    return None if chosen == none else str(chosen)
