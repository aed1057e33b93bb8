"""Training step: the time and memory of a TP x PP x DP x CP x EP layout, and what is exposed."""

import streamlit as st

from pages.ui.shared import answer, answered, bound, job, sections, your_job
from pages.ui.shared.question import bar, own
from pages.ui.shared.sections import Section
from pages.ui.training import inputs, memory_saving, plots, summary

st.title("Training step")
st.caption("Step time, MFU and memory of a layout of tensor, pipeline, context, expert and data parallelism.")

question = bar.shared()
with own.row():
    degrees = inputs.layout()
with own.further():
    details = inputs.details()
    saving = memory_saving.savings()

with answer.explained(lambda: inputs.nearest(question, degrees)):
    scenario = inputs.scenario(question, degrees, details, saving)
    result = summary.ask(scenario)

answer.headline(
    summary.headline(scenario, result),
    note=summary.note(scenario) + job.unused_domains(question.system, scenario.system),
    origin=answered.by_labels(question.rates, result.rates),
    yours=scenario.system.yours,
)
answer.figures(summary.figures(result))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("Step time by cause")
    plots.parts(result)
with right:
    st.subheader("Memory of the fullest GPU")
    plots.memory(result)
sections.tabs(
    Section("Scaling efficiency vs GPUs", lambda: plots.scaling(scenario)),
    Section("Neighbouring layouts", lambda: summary.neighbouring(scenario, result)),
    *your_job.sections(lambda _told: {"calculated": your_job.Calculated(scenario, result)}),
)
answer.numbers_and_sources(result, summary.table(result), caption="Every part of the step")
bound.share()
