"""Scenario against scenario: two machines or layouts, and why one is faster, term by term."""

import streamlit as st

from pages.ui.scenarios import shell_line
from pages.ui.scenarios import view as scenarios
from pages.ui.shared import answer, bound, rates

st.title("Scenario against scenario")
st.caption(
    "Two whole questions side by side. As shipped: Llama 3.1 405B in FP8 on eight H100 against four B200."
)

told = st.container()
with st.sidebar:
    chosen = rates.choose()
    bound.toggle(
        "Show unverified", "unverified", help="Parts whose figures are low in confidence or rumoured."
    )
    scenarios.tools()
left, right = st.columns(2)
with left:
    first = scenarios.side("a")
with right:
    second = scenarios.side("b")

with told, answer.explained():
    both = [scenarios.rated(build(), chosen) for build in (first, second)]
    found = scenarios.ask(*both)
    yours = any(one.model.yours or one.system.yours for one in both)
    answer.headline(*scenarios.verdict(found), origin=chosen.origin, yours=yours)
for column, one in ((left, found.a), (right, found.b)):
    with column:
        scenarios.show(one)
scenarios.warnings(found)

st.subheader("From A to B, term by term")
scenarios.chart(found)
scenarios.terms(found)
scenarios.numbers(found, [line for one in both if (line := shell_line.tp(one))])
bound.share()
