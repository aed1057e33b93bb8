"""Where a page's own inputs stand: a bordered, wrapped row below the bar."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

WIDTH = 150


def row() -> DeltaGenerator:
    """A row of the page's own inputs, wrapped where it is narrow."""
    box = st.container(border=True, key="own_inputs", gap="small")
    return box.grid("auto", min_column_width=WIDTH, vertical_alignment="bottom", gap="small")
