"""Strategy: which parallelism on which wire, which layout wins, why, and what would change the answer."""

import streamlit as st

from pages.ui.layouts import view as strategy
from pages.ui.layouts import what_if as strategy_what_if
from pages.ui.shared import answer, bound, sidebar

st.title("Strategy")
st.caption("Every layout that divides model and cluster and fits the memory, ranked for one goal.")

question, box, chosen = sidebar.shared()
with question:
    goal = strategy.goal()
    asked = strategy.question(goal)

with answer.explained():
    scenario = strategy.scenario(goal, asked, box, chosen)
    result = strategy.ask(goal, scenario, asked)

answer.headline(
    *strategy.verdict(goal, scenario, result, asked),
    note=strategy.note(scenario, asked),
    origin=chosen.origin,
    yours=scenario.system.yours,
)
answer.figures(strategy.figures(goal, result))

left, right = st.columns(2)
with left:
    st.subheader("The trade")
    strategy.trade(goal, result)
with right:
    st.subheader("Which parallelism on which wire")
    strategy.wires(goal, scenario, result, asked)
st.subheader("Ranked layouts")
strategy.ranked(goal, result)
strategy_what_if.show(goal, scenario, result, asked)

strategy.sources(goal, scenario, result)
bound.share()
