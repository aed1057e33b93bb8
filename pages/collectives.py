"""Collectives: time and bus bandwidth of one collective over message size, and the algorithm that should win."""

import streamlit as st

from pages.ui.collectives import ceilings, inputs, plots, summary
from pages.ui.shared import answer, answered, bound
from pages.ui.shared.question import bar, own

st.title("Collectives")
st.caption("Time and bus bandwidth of one collective, as nccl-tests would print them.")

question = bar.shared()
with own.row():
    query = inputs.query()
    kernel = inputs.kernel()

with answer.explained():
    scenario = inputs.scenario(question, query, kernel)
    result = summary.ask(scenario)

answer.headline(
    summary.headline(scenario, result.answer),
    note=summary.basis_note(result.answer),
    origin=answered.by_bases(question.rates, [result.answer.basis]),
    yours=scenario.system.yours,
)
answer.figures(summary.figures(result.answer))
answer.warnings(summary.without_edge(result.answer))

st.subheader(f"{summary.title(scenario.collective)} bus bandwidth vs message size")
plots.busbw(scenario, result)
left, right = st.columns(2)
with left:
    st.subheader("Time vs message size by algorithm")
    plots.times(result)
with right:
    st.subheader("Time breakdown vs message size")
    plots.parts(result)
left, right = st.columns(2)
with left:
    st.subheader("Ceilings of the scale-up link")
    ceilings.ladder(scenario, result.answer)
with right:
    st.subheader("Other published models")
    ceilings.peers(scenario, result.answer)

summary.numbers(scenario, result)
bound.share()
