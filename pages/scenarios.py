"""Compare scenarios (A/B): two serving setups, and why one is faster, term by term."""

import streamlit as st

from pages.ui.scenarios import inputs, shell_line, summary
from pages.ui.shared import answer, answered, bound
from pages.ui.shared.question import bar

st.title("Compare scenarios (A/B)")
st.caption(
    "Two serving setups side by side. The example: Llama 3.1 405B in FP8 on 8 × H100 (A) and on 4 × B200 (B)."
)

top = st.container()
choice = bar.shared().rates
inputs.tools()
left, right = st.columns(2)
with left:
    side_a = inputs.side("a")
with right:
    side_b = inputs.side("b")

with top, answer.explained():
    scenarios = [side(choice) for side in (side_a, side_b)]
    comparison = summary.ask(*scenarios)
    yours = any(scenario.model.yours or scenario.system.yours for scenario in scenarios)
    answer.headline(
        summary.headline(comparison),
        origin=answered.by_bases(choice, [comparison.a.basis, comparison.b.basis]),
        yours=yours,
    )
for column, result in ((left, comparison.a), (right, comparison.b)):
    with column:
        summary.show(result)
summary.warnings(comparison)

st.subheader("Step time difference by term, from A to B")
summary.chart(comparison)
summary.terms(comparison)
commands = [line for scenario in scenarios if (line := shell_line.command(scenario))]
summary.numbers(comparison, commands)
bound.share()
