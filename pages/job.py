"""Job: where the time of a traced step goes, each call against the model, and the step on another machine."""

import streamlit as st

from core.job.hang import find_hang
from pages.ui.job import inputs, plots, summary, what_if
from pages.ui.shared import answer, bound, sections, trash, your_job
from pages.ui.shared.question import bar

st.title("Job")
st.caption("Where does my step's time go? A trace explained, laid over the model, and replayed elsewhere.")

question = bar.shared()
with answer.explained():
    with st.container(border=True):
        traced = inputs.traces()
    here = None if traced is None else inputs.here(question, traced.job)
    told = None if traced is None else your_job.explained(traced.job, here)

if traced is None or told is None:
    summary.empty()
else:
    hang = find_hang(told.job)
    if hang is None:
        summary.headline(told, here)
    else:
        summary.hang(hang)
    answer.figures(summary.figures(told))
    summary.keeping(traced)
    sections.tabs(*plots.sections(told), *what_if.sections(told, here), *summary.sections(told, traced.row))
    summary.remarks(told)

trash.jobs()
bound.share()
