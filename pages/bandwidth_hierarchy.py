"""Bandwidth hierarchy: bandwidth and latency of every level, from on-chip memory to the scale-out network."""

import streamlit as st

from pages.ui.bandwidth_hierarchy import inputs, plots, summary
from pages.ui.shared import answer, bound, sections, sidebar
from pages.ui.shared.sections import Section

st.title("Bandwidth hierarchy")
st.caption("Bandwidth per GPU from on-chip memory to the network, compared per direction.")

question, system_choice, rates = sidebar.shared()
with question:
    transfer = inputs.transfer()
with st.sidebar:
    overrides = inputs.overrides()

with answer.explained():
    system = system_choice.system()
    result = summary.ask(inputs.scenario(transfer, system, rates, overrides))

answer.headline(
    summary.headline(result, system.name), origin=summary.badge(rates, result), yours=system.yours
)
answer.figures(summary.figures(result))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("Bandwidth by level")
    plots.bandwidth(result)
with right:
    st.subheader("Transfer time vs size")
    plots.times(result)
sections.tabs(
    Section("GPUDirect RDMA vs host bounce buffer", lambda: plots.gpudirect(result)),
    Section("Offload to host memory", lambda: plots.offload(result)),
)
summary.ceilings(result)
answer.numbers_and_sources(result, summary.table(result), caption="Every level")
bound.share()
