"""Check a result: a log against what its system should do, size by size and pair by pair."""

import streamlit as st

from pages.ui.check import details, plots, summary
from pages.ui.shared import answer, bound, documents, pick, told
from pages.ui.shared.question import bar

st.title("Check a result")
st.caption("Is my number OK? A verdict for every message size of a log, and the likely cause.")

question = bar.shared()
with st.container(border=True):
    system_choice = pick.system(question.system)
    told.take(documents.upload("check_run_log"))
    picked = pick.single("Log", "check_run", summary.usable, hint=summary.HINT)

if picked is None:
    summary.empty()
else:
    with answer.explained():
        checked = summary.ask(picked, system_choice, question.rates)
    summary.headline(picked.name, checked)
    pick.store_button(picked)
    details.likeliest(checked.verdict)
    with st.container(key="verdict_counts"):
        answer.figures(summary.figures(checked.verdict))
    plots.sizes(checked)
    plots.matrices(picked.run)
    details.draw(checked)
    details.remarks(checked.verdict)

bound.share()
