"""The machine and the rates, chosen once for all calculators that share them, and kept from page to page."""

import streamlit as st

from pages.ui.shared import machine, rates

PAGES = (
    "bandwidth_hierarchy",
    "collectives",
    "tensor_parallel",
    "gradient_sync",
    "training",
    "layouts",
    "cost",
    "kv_transfer",
)
_KEY = "_sidebar"


def start(url_path):
    """
    Draw the shared part of the sidebar, with room for the page's own question above it.

    The frame calls it, not the page: only so do the widgets stay the same on the next page.
    """
    if url_path not in PAGES:
        return
    with st.sidebar:
        question = st.container()
        st.session_state[_KEY] = question, machine.choose(), rates.choose()


def shared():
    """Room for the page's own question, the machine's box and the rates."""
    return st.session_state[_KEY]
