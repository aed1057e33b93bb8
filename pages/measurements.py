"""Measurements: upload logs, see what they contain, store them, compare them with the model."""

import streamlit as st

from pages.ui.measurements import inputs, summary, view
from pages.ui.shared import bound, measured, preview, stored, trash
from pages.ui.shared.question import bar, own

st.title("Measurements")
st.caption("nccl-tests and other logs, stored and compared with the model: is the bandwidth as expected?")

with own.row():
    choices = inputs.choose(bar.shared())

shown = preview.upload()
place = st.container()
st.header("Stored runs")
kept = stored.runs()
shown = [*measured.unlike(shown, kept.selected), *kept.selected]
trash.runs(st.session_state.get("runs", []))
with place:
    st.header("Measured bus bandwidth vs the model")
    is_cluster = view.draw(shown, choices, published=not kept.some)
    summary.matrices(shown, choices, folded=is_cluster)

bound.share()
