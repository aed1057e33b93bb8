"""Catalog: every link, switch, GPU, system and model with its source and confidence."""

import streamlit as st

from pages.ui.catalog.sections import SECTIONS
from pages.ui.shared import bound

st.title("Catalog")
st.caption(
    "Published figures beside the figures used here: per GPU or port, unidirectional, in GB/s = 10⁹ bytes/s."
)

with st.container(horizontal=True, vertical_alignment="bottom"):
    section = bound.switch("Section", "section", SECTIONS)
    unverified = bound.toggle("Show unverified", "unverified", help="Low confidence, rumour, or from memory.")

SECTIONS[section](unverified=unverified)
bound.share()
