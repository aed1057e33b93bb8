"""Cost of communication: what exposed communication costs, and the payback of a faster fabric."""

import streamlit as st

from pages.ui.cost import inputs, plots, summary
from pages.ui.layouts.nearest import nearest
from pages.ui.shared import answer, answered, bound, sections
from pages.ui.shared.question import bar, own
from pages.ui.shared.sections import Section

st.title("Cost of communication")
st.caption("Exposed communication in GPU-hours and dollars, and the payback of a faster scale-out fabric.")

shared = bar.shared()
with own.row():
    question = inputs.question(shared)
    prices = inputs.prices(question)

with answer.explained(lambda: nearest(shared.job, shared.system, shared.rates)):
    result = summary.ask(question, prices, shared.system, shared.rates)

answer.headline(
    summary.headline(result, prices),
    note=summary.note(result),
    origin=answered.by_labels(shared.rates, result.job.answer.rates) if result.job else None,
    yours=result.custom,
)
answer.figures(summary.figures(result))

price_list = Section("Cost per day", lambda: summary.price_list(result, prices))
if result.job:
    job = result.job
    st.subheader("Savings per month by scale-out fabric")
    plots.fabrics(job)
    sections.tabs(
        Section("Every fabric", lambda: summary.fabrics(job, prices)),
        Section("Savings vs network rate", lambda: plots.savings(job, prices)),
        Section("GPU bill by cause", lambda: plots.bill(result, job)),
        price_list,
    )
else:
    sections.tabs(price_list)
summary.formulas()
bound.share()
