"""Topology: paste `nvidia-smi topo -m`, see pairs, domains and slow paths, and use the system."""

import streamlit as st

from pages.ui.shared import answer, bound, pick
from pages.ui.shared.question import own
from pages.ui.topology import inputs, pairs, summary

st.title("Topology")
st.caption("Expected bandwidth of every GPU pair from `nvidia-smi topo -m`, and the system it describes.")

with own.row():
    choices = inputs.choose()

with st.container(border=True):
    picked = pick.single("Matrix", "topo_run", summary.usable, hint=summary.HINT)

gpu = summary.gpu_id(picked.run, choices) if picked else None
if picked is None:
    summary.empty()
elif gpu is None:
    with answer.explained():
        summary.unnamed(picked.run)
        pairs.paths(picked.run)
else:
    with answer.explained():
        surveyed = summary.ask(picked.run, gpu, choices)
    summary.headline(surveyed)
    answer.figures(summary.figures(surveyed))
    pairs.rates(surveyed.survey)
    summary.findings(surveyed.survey)
    pairs.table(surveyed.survey)
    summary.use(surveyed.system)

bound.share()
