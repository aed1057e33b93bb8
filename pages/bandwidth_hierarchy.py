"""Bandwidth hierarchy: bandwidth and latency of every level, from on-chip memory to the scale-out network."""

import streamlit as st

from pages.ui.bandwidth_hierarchy import inputs, plots, summary
from pages.ui.shared import answer, answered, bound
from pages.ui.shared.question import bar, own

st.title("Bandwidth hierarchy")
st.caption("Bandwidth per GPU from on-chip memory to the network, compared per direction.")

question = bar.shared()
with own.row():
    transfer = inputs.transfer(question)
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
    st.subheader("GPUDirect RDMA vs host bounce buffer")
    plots.gpudirect(result)
with right:
    st.subheader("Transfer time vs size")
    plots.times(result)
    st.subheader("Offload to host memory")
    plots.offload(result)

summary.ceilings(result)
answer.numbers_and_sources(result, summary.table(result), caption="Every level")
bound.share()
