"""Parallelism layouts: which layout is best, on which interconnect each kind belongs, and the crossovers."""

import streamlit as st

from pages.ui.layouts import (
    crossover_maps,
    inputs,
    placement,
    questions,
    ranking,
    result,
    sensitivity,
    summary,
)
from pages.ui.shared import answer, answered, bound, job
from pages.ui.shared.question import bar, own

st.title("Parallelism layouts")
st.caption("Every layout that divides model and cluster and fits the memory, ranked for one goal.")

shared = bar.shared()
with own.row():
    question = inputs.question(shared)

with answer.explained():
    layouts = result.ask(question, shared.system, shared.rates)

unused = job.unused_domains(shared.system, layouts.scenario.system)
place = answer.headline(
    summary.headline(layouts),
    note=summary.note(layouts) + unused,
    origin=answered.by_labels(shared.rates, result.rates(layouts)),
    yours=layouts.scenario.system.yours,
)
answer.figures(summary.figures(layouts))

left, right = st.columns(2)
with left:
    training = isinstance(layouts, result.TrainingResult)
    st.subheader(f"Pareto front: {'step time against memory' if training else 'TPOT against throughput'}")
    ranking.pareto(layouts)
with right:
    st.subheader("Exposed communication by interconnect")
    placement.draw(layouts)
st.subheader("Ranked layouts")
ranking.table(layouts)
with place.container():
    summary.crossovers(layouts)

SECTIONS = (
    ("Crossover map", crossover_maps.draw),
    (f"Sensitivity of {sensitivity.quantity(layouts)}", sensitivity.draw),
    ("Best layout vs number of GPUs", sensitivity.clusters),
    ("Break-even points", questions.break_even),
    ("Do I need NVLink?", questions.links),
)
tabs = st.tabs([title for title, _ in SECTIONS], on_change="rerun")
for tab, (title, draw) in zip(tabs, SECTIONS, strict=True):
    if tab.open:
        with tab:
            st.subheader(title)
            draw(layouts)

summary.sources(layouts)
bound.share()
