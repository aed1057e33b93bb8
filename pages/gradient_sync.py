"""Gradient sync: what averaging gradients costs a training step, in time and money."""

import streamlit as st

from pages.ui.gradient_sync import (
    scale as gradient_scale,
)
from pages.ui.gradient_sync import (
    timeline as gradient_timeline,
)
from pages.ui.gradient_sync import (
    view as gradient_sync,
)
from pages.ui.shared import answer, bound, sidebar

st.title("Gradient sync")
st.caption("Data-parallel ranks must agree on their gradients once per optimizer step.")

question, box, chosen = sidebar.shared()
with question:
    asked = gradient_sync.question()
with st.sidebar:
    how = gradient_sync.details()

with answer.explained():
    system = box.system()
    scenario = gradient_sync.scenario(asked, system, chosen, how)
    result = gradient_sync.ask(scenario)

own = system.yours or gradient_sync.own_model()
answer.headline(*gradient_sync.verdict(scenario, result), origin=chosen.origin, yours=own)
answer.figures(gradient_sync.figures(result))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("Strategies compared")
    gradient_sync.compare(scenario)
with right:
    st.subheader("On more GPUs")
    gradient_scale.scale(scenario, result)
st.subheader("What hides behind compute")
gradient_timeline.timeline(result)
st.subheader("How efficient, by definition")
gradient_scale.efficiency(scenario, result)
st.subheader("InfiniBand or RoCE?")
gradient_scale.networks(scenario)

answer.numbers_and_sources(result, gradient_sync.table(result), caption="Every phase of the step")
bound.share()
