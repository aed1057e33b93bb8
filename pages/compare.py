"""Compare runs: two runs of the same operation, and one system over time."""

import streamlit as st

from pages.ui.compare import drift, summary
from pages.ui.shared import answer, bound, pick, speed, stored

st.title("Compare runs")
st.caption("Before and after a change, or one version against another: faster, slower, or only noise?")

names = stored.names()
left, right = st.columns(2)
with left, st.container(border=True):
    first = pick.single(
        "First run", "first", summary.usable, hint="Log or run file of the first run", names=names
    )
with right, st.container(border=True):
    second = pick.single(
        "Second run", "second", summary.usable, hint="Log or run file of the second run", names=names
    )

if first is None or second is None:
    summary.empty()
else:
    with answer.explained():
        comparison = summary.ask(first, second)
    summary.headline(first.name, second.name, comparison)
    answer.figures(summary.figures(comparison))
    st.subheader("Time ratio vs message size")
    speed.ratios(comparison)
    summary.differences(first.name, second.name, comparison)
    summary.numbers(comparison)

st.header("Drift: one system over time")
drift.show()
bound.share()
