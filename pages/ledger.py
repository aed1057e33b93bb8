"""Ledger: what five published documents claim, what the calculators say, and the verdict."""

import streamlit as st

from pages.ui.ledger import view as ledger
from pages.ui.shared import answer, bound

st.title("Ledger of claims")
st.caption("What five published documents say about interconnects, each claim beside our own value.")

shown = ledger.chosen()

answer.headline(*ledger.verdict(shown))
answer.figures(ledger.figures(shown))
ledger.charted(shown)
ledger.listed(shown)
ledger.detail(shown)
ledger.documents()
bound.share()
