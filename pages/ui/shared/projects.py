"""The choice of a project wherever something is kept; nothing where there is none."""

import streamlit as st

from db.projects import EVERYONE
from pages.ui.shared import stored

SEEN_BY = "Only its members and admins see what is kept in a project."


def choose(key: str, text: str = SEEN_BY) -> str | None:
    """Where something is kept: a project's name, or None for everyone."""
    available = stored.projects()
    if not available:
        return None
    if st.session_state.get(key) not in (EVERYONE, *available):
        st.session_state.pop(key, None)
    chosen = st.selectbox("Project", [EVERYONE, *available], key=key, help=text)
    return None if chosen == EVERYONE else str(chosen)
