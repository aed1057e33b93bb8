"""Collectives: how long one takes on a machine, over size, and which algorithm should win."""

import streamlit as st

from pages.ui.collectives import ceilings
from pages.ui.collectives import view as collectives
from pages.ui.shared import answer, bound, sidebar

st.title("Collectives")
st.caption("Time and bus bandwidth of one collective, as nccl-tests would print them.")

question, box, chosen = sidebar.shared()
with question:
    asked = collectives.question()
with st.sidebar:
    how = collectives.library()

with answer.explained():
    system = box.system()
    scenario = collectives.scenario(asked, system, chosen, how)
    result = collectives.ask(scenario)

answer.headline(
    *collectives.verdict(scenario, result.answer),
    note=collectives.rests(result.answer),
    origin=collectives.origin(chosen, result.answer),
    yours=system.yours,
)
answer.figures(collectives.figures(result.answer))
answer.warnings(collectives.without_edge(result.answer))

st.subheader("Bus bandwidth over message size")
collectives.busbw(scenario, result)
left, right = st.columns(2)
with left:
    st.subheader("Time by algorithm")
    collectives.times(result)
with right:
    st.subheader("Where the time goes")
    collectives.parts(result)
left, right = st.columns(2)
with left:
    st.subheader("Ceilings of a domain")
    ceilings.ladder(scenario, result.answer)
with right:
    st.subheader("Other formulas")
    ceilings.peers(scenario, result.answer)

collectives.numbers(scenario, result)
bound.share()
