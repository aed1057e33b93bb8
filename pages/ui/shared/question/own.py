"""Where a page's own inputs stand: a bordered, wrapped row below the bar, and a row of expanders."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

WIDTH = 150


def row() -> DeltaGenerator:
    """A row of the page's own inputs, wrapped where it is narrow."""
    box = st.container(border=True, key="own_inputs", gap="small")
    return box.grid("auto", min_column_width=WIDTH, vertical_alignment="bottom", gap="small")


def further() -> DeltaGenerator:
    """Expanders of inputs that few questions need, side by side; an open one takes the width of the page."""
    return st.container(horizontal=True, gap="xsmall", key="further_inputs")
