"""Catalog: every link, switch, GPU, system and model with its source and confidence."""

import streamlit as st

from pages.ui.catalog import view as catalog
from pages.ui.shared import bound

st.title("Catalog")
st.caption(
    "Figures as printed stand beside figures as used: per GPU or port, one way, in GB/s = 10⁹ bytes/s."
)

with st.container(horizontal=True, vertical_alignment="bottom"):
    section = bound.switch("Section", "section", catalog.SECTIONS)
    unverified = bound.toggle("Show unverified", "unverified", help="Low confidence, rumour, or from memory.")

catalog.SECTIONS[section](unverified)
bound.share()
