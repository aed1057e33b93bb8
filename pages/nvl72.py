"""NVL72 capacity: does a model fit a rack-scale domain, what limits it, how fast can it decode?"""

import streamlit as st

from pages.ui import answer, bound, machine, nvl72, rates

st.title("NVL72 capacity")
st.caption("A model laid over the GPUs of one scale-up domain, part by part.")

with st.sidebar:
    question = st.container()
    box = machine.choose("gb200-nvl72", key="rack")
    spread = nvl72.layout()
    chosen = rates.choose()
with question:
    asked = nvl72.question()

with answer.explained():
    system = box.system()
    result = nvl72.ask(nvl72.scenario(asked, system, chosen, spread))

answer.headline(
    *nvl72.verdict(result),
    note=nvl72.note(result),
    origin=chosen.origin,
    yours=system.yours or nvl72.yours(result),
)
answer.figures(nvl72.figures(result))
answer.warnings(result)

left, right = st.columns(2)
with left:
    st.subheader("What a GPU holds")
    nvl72.parts(result)
    nvl72.exchange(result)
with right:
    st.subheader("Domains of other sizes")
    nvl72.domains(result)
st.subheader("The edge of the domain")
nvl72.edge(result)

answer.numbers_and_sources(result, nvl72.table(result), caption="Parts and fabric figures")
bound.share()
