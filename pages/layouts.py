"""Parallelism layouts: which layout is best, on which interconnect each kind belongs, and the crossovers."""

import streamlit as st

from pages.ui.layouts import (
    crossover_maps,
    inputs,
    nearest,
    placement,
    questions,
    ranking,
    result,
    sensitivity,
    summary,
    traced,
)
from pages.ui.shared import answer, answered, bound, job, sections
from pages.ui.shared.question import bar, own
from pages.ui.shared.sections import Section

st.title("Parallelism layouts")
st.caption("Every layout that divides model and cluster and fits the memory, ranked for one goal.")

shared = bar.shared()
with own.row():
    question = inputs.question(shared)

with (
    answer.explained(lambda: nearest.nearest(question, shared.system, shared.rates)),
    st.spinner("Pricing the layouts that fit …"),
):
    layouts = result.ask(question, shared.system, shared.rates)

unused = job.unused_domains(shared.system, layouts.scenario.system)
headline = answer.headline(
    summary.headline(layouts),
    note=summary.note(layouts) + unused,
    origin=answered.by_labels(shared.rates, result.rates(layouts)),
    yours=layouts.scenario.system.yours,
)
# The crossovers before an edit are gone at once: the search for new ones may take a while.
place = headline.empty()
answer.figures(summary.figures(layouts))

st.subheader("Exposed communication by interconnect")
placement.draw(layouts)
sections.tabs(
    Section("Ranked layouts", lambda: ranking.table(layouts)),
    Section("Pareto front", lambda: ranking.pareto(layouts)),
    Section(
        "Crossover map",
        lambda axes: crossover_maps.draw(layouts, axes),
        inputs=lambda: crossover_maps.axes(layouts),
    ),
    Section("Sensitivity", lambda: sensitivity.draw(layouts)),
    Section("Number of GPUs", lambda: sensitivity.clusters(layouts)),
    Section("Break-even points", lambda: questions.break_even(layouts)),
    Section("Do I need NVLink?", lambda: questions.links(layouts)),
    *traced.sections(layouts),
)
with place.container():
    summary.crossovers(layouts, shared.load.requests)
summary.sources(layouts)
bound.share()
