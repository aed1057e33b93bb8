"""Collectives: time and bus bandwidth of one collective over message size, and the algorithm that should win."""

import streamlit as st

from core.collectives.moe.question import COLLECTIVES as EXCHANGES
from pages.ui.collectives import exchange, inputs, nccl
from pages.ui.shared import bound
from pages.ui.shared.question import bar, own

st.title("Collectives")
st.caption(
    "Time and bus bandwidth of one collective, as nccl-tests would print them; dispatch and combine of MoE."
)

question = bar.shared()
with own.row():
    collective = inputs.collective(exchanges=True)
    if collective in EXCHANGES:
        tokens = exchange.query(collective)
    else:
        query = inputs.query(collective)
        kernel = inputs.kernel()

if collective in EXCHANGES:
    exchange.show(question, tokens)
else:
    nccl.show(question, query, kernel)
bound.share()
