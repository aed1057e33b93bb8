"""Topology: paste `nvidia-smi topo -m`, see pairs, domains and weak spots, and use the machine."""

import streamlit as st

from pages.ui.shared import answer, bound, pick
from pages.ui.topology import view as topology

st.title("Topology")
st.caption("What `nvidia-smi topo -m` promises, pair by pair, and the machine that follows from it.")

with st.sidebar:
    asked = topology.question()

with st.container(border=True):
    picked = pick.single("Matrix", "topo_run", topology.shown, hint=topology.HINT)

if picked is None:
    topology.empty()
elif topology.gpu_of(picked.run, asked) is None:
    with answer.explained():
        topology.unnamed(picked.run)
else:
    with answer.explained():
        found, system = topology.ask(picked.run, asked)
    topology.headline(found, system)
    answer.figures(topology.figures(found, system))
    topology.matrix(found)
    topology.findings(found)
    topology.pairs(found)
    topology.use(system)

bound.share()
