"""System and rates, chosen once for all calculators that share them, and kept from page to page."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

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


class Sidebar(NamedTuple):
    """Room for the page's own question, the system's widgets and the rates."""

    question: DeltaGenerator
    system: machine.SystemChoice
    rates: rates.RateChoice


def start(url_path: str) -> None:
    """
    Draw the shared part of the sidebar, with room for the page's own question above it.

    The frame calls it, not the page: only so do the widgets stay the same on the next page.
    """
    if url_path not in PAGES:
        return
    with st.sidebar:
        question = st.container()
        st.session_state[_KEY] = Sidebar(question, machine.choose(), rates.choose())


def shared() -> Sidebar:
    """The shared part of the sidebar as drawn in this run."""
    sidebar: Sidebar = st.session_state[_KEY]
    return sidebar
