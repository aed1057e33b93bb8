"""My cluster: fit the model to a measured sweep, see how well, and use it in every calculator."""

import streamlit as st

from pages.ui.my_cluster import view as my_cluster
from pages.ui.shared import answer, bound, fits, machine, pick

st.title("My cluster")
st.caption("Fit the model to what you measured; then *yours* answers in every calculator.")

with st.sidebar:
    box = machine.choose(pick.LOG, key="cluster_system", extra=(pick.LOG,))

with st.container(border=True):
    picked = pick.several("Stored runs", "cluster_runs", my_cluster.HINT)
    name, note = my_cluster.name()

if not picked:
    my_cluster.empty()
else:
    with answer.explained():
        system, fit = my_cluster.make(picked, box, name, note)
    my_cluster.headline(fit, system)
    answer.figures(my_cluster.figures(fit))
    number = my_cluster.which(fit)
    my_cluster.chart(fit, number)
    my_cluster.residuals(fit, number)
    my_cluster.unidentified(fit)
    my_cluster.keep(fit)

st.subheader("Fits in the store")
fits.show_outcome()
fits.listing()
bound.share()
