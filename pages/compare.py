"""Compare: two runs of the same question, and one machine over time."""

import streamlit as st

from pages.ui.compare import drift
from pages.ui.compare import view as compare
from pages.ui.shared import answer, bound, pick

st.title("Compare two runs")
st.caption("Before and after a fix, one version against another: different, or only noise?")

left, right = st.columns(2)
with left, st.container(border=True):
    first = pick.single("First run", "first", compare.swept)
with right, st.container(border=True):
    second = pick.single("Second run", "second", compare.swept)

if first is None or second is None:
    compare.empty()
else:
    with answer.explained():
        found = compare.ask(first, second)
    compare.headline(first.name, second.name, found)
    answer.figures(compare.figures(found))
    compare.chart(found)
    compare.apart(first.name, second.name, found)
    compare.numbers(found)

st.subheader("One machine over time")
drift.show()
bound.share()
