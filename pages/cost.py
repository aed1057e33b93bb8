"""Cost of communication: what exposed communication costs, and the payback of a faster fabric."""

import streamlit as st

from pages.ui.cost import inputs, plots, summary
from pages.ui.shared import answer, answered, bound
from pages.ui.shared.question import bar, own

st.title("Cost of communication")
st.caption("Exposed communication in GPU-hours and dollars, and the payback of a faster scale-out fabric.")

shared = bar.shared()
with own.row():
    question = inputs.question(shared)
    prices = inputs.prices(question)

with answer.explained():
    result = summary.ask(question, prices, shared.system, shared.rates)

answer.headline(
    summary.headline(result, prices),
    note=summary.note(result),
    origin=answered.by_labels(shared.rates, result.job.answer.rates) if result.job else None,
    yours=result.custom,
)
answer.figures(summary.figures(result))

if result.job:
    st.subheader("Savings per month by scale-out fabric")
    plots.fabrics(result.job, prices)
    left, right = st.columns(2)
    with left:
        st.subheader("Savings per month vs network rate")
        plots.savings(result.job, prices)
    with right:
        st.subheader("GPU bill per month by cause")
        plots.bill(result, result.job)
st.subheader("Cost per day by exposed share and cluster size")
summary.price_list(result, prices)
summary.formulas()
bound.share()
