"""TP overhead: what splitting every layer over GPUs costs, and where it stops paying."""

import streamlit as st

from pages.ui import answer, bound, sidebar, tensor_parallel

st.title("Tensor-parallel overhead")
st.caption("Every layer is split over the group, so every layer waits for two all-reduces.")

question, box, chosen = sidebar.shared()
with question:
    asked = tensor_parallel.question()
with st.sidebar:
    how = tensor_parallel.formats()

with answer.explained():
    system = box.system()
    scenario = tensor_parallel.scenario(asked, system, chosen, how)
    result = tensor_parallel.ask(scenario)

answer.headline(
    *tensor_parallel.verdict(result), origin=chosen.origin, yours=system.yours or result.scenario.model.yours
)
answer.figures(tensor_parallel.figures(result))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("Time of a step by degree")
    tensor_parallel.degrees(result)
with right:
    st.subheader("Share of communication")
    tensor_parallel.shares(scenario, result)

tensor_parallel.dead(result)
answer.numbers_and_sources(result, tensor_parallel.table(result), caption="Every degree")
bound.share()
