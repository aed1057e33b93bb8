"""NVL72 capacity: does a model fit a rack-scale domain, what limits it, how fast can it decode?"""

import streamlit as st

from pages.ui.nvl72 import domain_edge, domain_sizes, spread
from pages.ui.nvl72 import view as nvl72
from pages.ui.shared import answer, bound, machine, rates
from pages.ui.shared.navigation import PAGES

KV_TRANSFER = PAGES / "kv_transfer.py"

st.title("NVL72 capacity")
st.caption("A model laid over the GPUs of one scale-up domain, part by part.")

with st.sidebar:
    question = st.container()
    box = machine.choose("gb200-nvl72", key="rack")
    laid_out = nvl72.layout()
    chosen = rates.choose()
with question:
    asked = nvl72.question()

with answer.explained():
    system = box.system()
    result = nvl72.ask(nvl72.scenario(asked, system, chosen, laid_out))

answer.headline(
    *nvl72.verdict(result),
    note=nvl72.note(result),
    origin=chosen.origin,
    yours=system.yours or nvl72.yours(result),
)
answer.figures(nvl72.figures(result))
answer.warnings(result)

st.subheader("Domains of every size")
other = domain_sizes.question()
counts = domain_sizes.sizes(result, other)
left, right = st.columns(2)
with left:
    domain_sizes.bars(result, counts)
with right:
    domain_sizes.largest(result, counts)
domain_sizes.table(result, counts)
domain_sizes.better(result)

st.subheader("The edge of the domain")
size = domain_edge.question()
with answer.explained():
    domain_edge.draw(result.scenario, size, other)

left, right = st.columns(2)
with left:
    st.subheader("Experts")
    spread.experts(result)
with right:
    st.subheader("Stages across racks")
    spread.stages(result)
st.page_link(
    KV_TRANSFER,
    label="Move the KV cache, park it in host memory, or compute it again?",
    icon=":material/move_up:",
)

answer.numbers_and_sources(result, nvl72.table(result), caption="Parts and fabric figures")
bound.share()
