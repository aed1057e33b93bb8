"""The navigation's entries as Streamlit takes them."""

from copy import copy
from functools import lru_cache

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.ui.shared.navigation import HOME, SECTIONS


def sections() -> dict[str, list[StreamlitPage]]:
    """Every page by section, new in each run: a run marks the page that it may draw."""
    return {section: [copy(page) for page in pages] for section, pages in _built().items()}


@lru_cache(maxsize=1)
def _built() -> dict[str, list[StreamlitPage]]:
    """Built once: each looks for its file on the disk."""
    return {
        section: [
            st.Page(item.file, title=item.title, icon=item.icon, help=item.question, default=item is HOME)
            for item in items
        ]
        for section, items in {"": (HOME,), **SECTIONS}.items()
    }
