"""Money: what exposed communication costs, what one per cent is worth, and when a faster fabric has paid."""

import streamlit as st

from pages.ui.cost import view as money
from pages.ui.shared import answer, bound, sidebar

st.title("Money")
st.caption(
    "Waiting for wires, in GPU-hours and dollars; a faster fabric, in months until it has paid for itself."
)

question, box, chosen = sidebar.shared()
with question:
    asked = money.question()
with st.sidebar:
    terms = money.terms(asked)

with answer.explained():
    result = money.ask(asked, terms, box, chosen)

answer.headline(
    *money.verdict(terms, result),
    note=money.note(result),
    origin=chosen.origin if result.job else None,
    yours=result.yours,
)
answer.figures(money.figures(result))

if result.job:
    st.subheader("Other fabrics under the same job")
    money.fabrics(result, terms)
    left, right = st.columns(2)
    with left:
        st.subheader("One more GB/s")
        money.marginal(result, terms)
    with right:
        st.subheader("Where the money goes")
        money.where(result)
st.subheader("The price of waiting")
money.ladder(result, terms)
money.words()
bound.share()
