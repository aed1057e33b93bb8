"""KV transfer: is moving a cache to another GPU or out to host memory faster than computing it again?"""

import streamlit as st

from pages.ui.kv_transfer import view as kv_transfer
from pages.ui.shared import answer, bound, sidebar

st.title("KV transfer")
st.caption(
    "Disaggregated serving sends the cache from prefill to decode; offloading parks it in host memory. "
    "Both compete with computing it again."
)

question, box, chosen = sidebar.shared()
with question:
    asked = kv_transfer.question()

with answer.explained():
    system = box.system()
    model, found = kv_transfer.ask(asked, system, chosen)

answer.headline(*kv_transfer.verdict(found, model), origin=chosen.origin, yours=system.yours or model.yours)
answer.figures(kv_transfer.figures(found))

left, right = st.columns(2)
with left:
    st.subheader("Time by path")
    kv_transfer.bars(found)
with right:
    st.subheader("Over context")
    kv_transfer.lines(asked, model, system, chosen)
kv_transfer.show(found)
kv_transfer.numbers(found, model, system)
bound.share()
