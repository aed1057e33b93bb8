"""Gradient sync: what data-parallel communication costs a training step, in time and money."""

import streamlit as st

from pages.ui.gradient_sync import inputs, networks, scaling, strategies, summary, timeline
from pages.ui.shared import answer, answered, bound
from pages.ui.shared.question import bar, own

st.title("Gradient sync")
st.caption("Data-parallel ranks average their gradients once per optimizer step: DDP, ZeRO, FSDP and HSDP.")

question = bar.shared()
with own.row():
    sync = inputs.sync()
details = inputs.details()

with answer.explained():
    scenario = inputs.scenario(question, sync, details)
    result = summary.ask(scenario)

custom = scenario.system.yours or question.model.custom
answer.headline(
    summary.headline(scenario, result), origin=answered.by_labels(question.rates, result.rates), yours=custom
)
answer.figures(summary.figures(result))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("Communication per step by strategy")
    strategies.draw(scenario)
with right:
    st.subheader("Scaling with the number of GPUs")
    scaling.draw(scenario, result)
if result.passes:
    st.subheader("Bucket timeline: overlap with compute")
    timeline.draw(result)
if result.efficiency:
    st.subheader("Scaling efficiency by definition")
    scaling.definitions(scenario, result)
if missing := summary.missing(result):
    st.caption(missing)
st.subheader("InfiniBand vs RoCE")
networks.draw(scenario)

answer.numbers_and_sources(result, summary.table(result), caption="Every collective of the step")
bound.share()
