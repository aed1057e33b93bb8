"""Published claims: what five documents claim about interconnects, each recomputed, with a verdict."""

import streamlit as st

from pages.ui.ledger import summary
from pages.ui.shared import answer, bound

st.title("Published claims")
st.caption("What five published documents claim about interconnects, each claim beside the recomputed value.")

claims = summary.selected()

answer.headline(summary.headline(claims))
with st.container(key="verdict_counts"):
    answer.figures(summary.figures(claims))
summary.charts(claims)
summary.listing(claims)
summary.detail(claims)
summary.documents()
bound.share()
