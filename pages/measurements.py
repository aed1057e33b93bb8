"""Measurements: upload logs, see what was read, keep them, lay them over the model."""

import streamlit as st

from pages.ui.measurements import view as measurements
from pages.ui.shared import bound, preview, stored

st.title("Measurements")
st.caption("Is what I measured what I should get?")

with st.sidebar:
    side = measurements.sidebar()

shown = preview.upload()
place = st.container()
st.subheader("Stored runs")
shown += stored.runs()
with place:
    st.subheader("Measured against the model")
    measurements.chart(shown, side)
    measurements.matrices(shown, side)

bound.share()
