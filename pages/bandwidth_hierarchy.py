"""Bandwidth hierarchy: how fast each level of a machine is, and what a copy costs on it."""

import streamlit as st

from pages.ui.bandwidth_hierarchy import view as bandwidth_hierarchy
from pages.ui.shared import answer, bound, sidebar

st.title("Bandwidth hierarchy")
st.caption("From on-chip memory to the network: rates per GPU, compared in one convention.")

question, box, chosen = sidebar.shared()
with question:
    asked = bandwidth_hierarchy.question()
with st.sidebar:
    levels = bandwidth_hierarchy.latencies()

with answer.explained():
    system = box.system()
    result = bandwidth_hierarchy.ask(bandwidth_hierarchy.scenario(asked, system, chosen, levels))

origin = bandwidth_hierarchy.origin(chosen, result)
answer.headline(*bandwidth_hierarchy.verdict(result), origin=origin, yours=system.yours)
answer.figures(bandwidth_hierarchy.figures(result))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("Levels, like for like")
    bandwidth_hierarchy.ladder(result)
    st.subheader("GPUDirect or bounce")
    bandwidth_hierarchy.gpudirect(result)
with right:
    st.subheader("Time of a copy")
    bandwidth_hierarchy.times(result)
    st.subheader("Offload to host memory")
    bandwidth_hierarchy.offload(result)

bandwidth_hierarchy.ceilings(result)
answer.numbers_and_sources(result, bandwidth_hierarchy.table(result), caption="Every level")
bound.share()
