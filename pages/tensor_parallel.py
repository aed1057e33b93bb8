"""TP overhead: what splitting every layer over GPUs costs in communication, and where it stops paying."""

import streamlit as st

from pages.ui.shared import answer, answered, bound, link_value, tables
from pages.ui.shared.question import bar, own
from pages.ui.tensor_parallel import inputs, plots, saturation, service, summary, sweep

st.title("Tensor parallelism")
st.caption("Every layer is split over the TP group, so every layer waits for two all-reduces.")

question = bar.shared()
with own.row():
    step = inputs.step()
execution = inputs.execution()
goal = service.objective()

with answer.explained():
    scenario = inputs.scenario(question, step, execution)
    result = summary.ask(scenario)
    figures = service.ask(scenario, goal)

answer.headline(
    summary.headline(result, figures),
    origin=answered.by_bases(question.rates, result.basis.split(", ")),
    yours=scenario.system.yours or result.scenario.model.yours,
)
answer.figures(summary.figures(result, figures))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("Step time vs TP degree")
    plots.degrees(result)
with right:
    st.subheader("Exposed communication vs batched tokens")
    plots.shares(scenario, result)

tables.show(summary.degrees(result), "Every degree", height="content")
st.caption("Overlap range: from all to none of the communication overlapped. Memory: per GPU.")

left, right = st.columns(2)
with left:
    st.subheader("Crossovers")
    summary.crossovers(result)
with right:
    st.subheader("No effect on this result")
    summary.without_effect(result)

st.subheader("Serving by degree: TTFT, TPOT, cost, largest batch")
service.draw(result, goal)

st.subheader("Links between the GPUs: what if PCIe?")
link_value.draw(summary.links(scenario))

st.subheader("Sweep: degree, batch, context length and system")
sweep.draw(scenario, sweep.query(scenario))

st.subheader("Throughput at saturation")
saturation.draw(result)

answer.numbers_and_sources(result, summary.terms(result), caption="Terms of a layer and of a step")
bound.share()
