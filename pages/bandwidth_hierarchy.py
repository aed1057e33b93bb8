"""Bandwidth hierarchy: bandwidth and latency of every level, from on-chip memory to the scale-out network."""

import streamlit as st

from pages.ui.bandwidth_hierarchy import inputs, plots, summary
from pages.ui.shared import answer, answered, bound, sections
from pages.ui.shared.question import bar, own
from pages.ui.shared.sections import Section

st.title("Bandwidth hierarchy")
st.caption("Bandwidth per GPU from on-chip memory to the network, compared per direction.")

question = bar.shared()
with own.row():
    transfer = inputs.transfer(question)
with own.further():
    overrides = inputs.overrides()

with answer.explained():
    system = question.system.system()
    result = summary.ask(inputs.scenario(question, transfer, overrides))

answer.headline(
    summary.headline(result, system.name),
    origin=answered.transfer(question.rates, measured=result.tier == "measured"),
    yours=system.yours,
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
