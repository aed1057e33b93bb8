"""Gradient sync: what data-parallel communication costs a training step, in time and money."""

import streamlit as st

from pages.ui.gradient_sync import inputs, networks, scaling, strategies, summary, timeline
from pages.ui.shared import answer, answered, bound, sections
from pages.ui.shared.question import bar, own
from pages.ui.shared.sections import Section

st.title("Gradient sync")
st.caption("Data-parallel ranks average their gradients once per optimizer step: DDP, ZeRO, FSDP and HSDP.")

question = bar.shared()
with own.row():
    sync = inputs.sync()
with own.further():
    details = inputs.details()

with answer.explained():
    scenario = inputs.scenario(question, sync, details)
    result = summary.ask(scenario)

custom = scenario.system.yours or question.model.custom
answer.headline(
    summary.headline(scenario, result),
    note=summary.note(scenario, result, question.job),
    origin=answered.by_labels(question.rates, result.rates),
    yours=custom,
    rests_on=summary.compute(scenario),
)
answer.figures(summary.figures(result))
answer.warnings(result)

st.subheader("Communication per step by strategy")
strategies.draw(scenario)
drawn = [
    Section(
        "Scaling with the number of GPUs",
        lambda query: scaling.draw(scenario, result, query),
        inputs=scaling.query,
    )
]
if result.passes:
    drawn.append(Section("Bucket timeline", lambda: timeline.draw(result)))
if result.efficiency:
    drawn.append(Section("Scaling efficiency by definition", lambda: scaling.definitions(scenario, result)))
drawn.append(
    Section("InfiniBand vs RoCE", lambda query: networks.draw(scenario, query), inputs=networks.query)
)
sections.tabs(*drawn)
if missing := summary.missing(result):
    st.caption(missing)
answer.numbers_and_sources(result, summary.table(result), caption="Every collective of the step")
bound.share()
