"""TP overhead: what splitting every layer over GPUs costs, and where it stops paying."""

import streamlit as st

from pages.ui.shared import answer, bound, sidebar, tables
from pages.ui.tensor_parallel import saturation as full_machine
from pages.ui.tensor_parallel import sweep as tp_sweep
from pages.ui.tensor_parallel import view as tensor_parallel

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

tables.show(tensor_parallel.table(result), "Every degree", height="content")

left, right = st.columns(2)
with left:
    st.subheader("Where the answer flips")
    tensor_parallel.flips(result)
with right:
    st.subheader("What changes nothing here")
    tensor_parallel.dead(result)

st.subheader("Degree, batch, context and link at once")
tp_sweep.draw(scenario, tp_sweep.question(scenario))

st.subheader("A machine kept full")
full_machine.draw(result)

answer.numbers_and_sources(result, tensor_parallel.terms(result), caption="Terms of a layer and of a step")
bound.share()
