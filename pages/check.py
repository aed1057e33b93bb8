"""Is my number OK: a log against what its machine should do, size by size and pair by pair."""

import streamlit as st

from pages.ui.check import view as check
from pages.ui.shared import answer, bound, machine, pick, rates

st.title("Is my number OK?")
st.caption("Paste or upload a log: per size the expected band, a verdict, and the likely reason.")

with st.sidebar:
    box = machine.choose(pick.LOG, key="check_system", extra=(pick.LOG,))
    chosen = rates.choose()

with st.container(border=True):
    picked = pick.single("Log", "check_run", check.judged, hint=check.HINT)

if picked is None:
    check.empty()
else:
    with answer.explained():
        system, verdict = check.ask(picked.run, box, chosen)
    check.headline(picked.name, verdict, system)
    answer.figures(check.figures(verdict))
    check.sizes(verdict)
    check.pairs(picked.run, verdict)
    answer.warnings(verdict)
    check.gate(system)

bound.share()
