"""Training: the step of a whole layout, where its time goes, and what it needs in memory."""

import streamlit as st

from pages.ui.shared import answer, bound, sidebar
from pages.ui.training import view as training

st.title("Training")
st.caption("A 3-D layout: tensor, pipeline, context, expert and data parallel, put together to one step.")

question, box, chosen = sidebar.shared()
with question:
    asked = training.question()
with st.sidebar:
    how = training.details()

with answer.explained():
    scenario = training.scenario(asked, how, box, chosen)
    result = training.ask(scenario)

answer.headline(
    *training.verdict(scenario, result),
    note=training.note(scenario),
    origin=chosen.origin,
    yours=scenario.system.yours,
)
answer.figures(training.figures(result))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("Where the time goes")
    training.parts(result)
with right:
    st.subheader("What a GPU holds")
    training.memory(result)
st.subheader("More GPUs")
training.scaling(scenario)
st.subheader("One decision changed")
training.next_door(scenario, result)

answer.numbers_and_sources(result, training.table(result), caption="Every part of the step")
bound.share()
