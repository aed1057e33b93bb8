"""Fit your cluster: calibrate the cost model to a measured sweep, and use it in every calculator."""

import streamlit as st

from pages.ui.my_cluster import plan, plots, summary
from pages.ui.shared import answer, bound, fits, pick, sections, trash
from pages.ui.shared.question import bar
from pages.ui.shared.sections import Section

st.title("Fit your cluster")
st.caption(
    "Calibrate the cost model to your own sweep; every calculator then offers it as the rates *yours*."
)

with st.container(border=True):
    system_choice = pick.system(bar.shared().system)
    picked = pick.several("Stored runs", "cluster_runs", summary.HINT)
    label = summary.label()

if not picked:
    summary.empty()
    st.header(plan.TITLE)
    plan.show(bar.shared().system.system(), bar.shared().software.software)
else:
    with answer.explained():
        fitted = summary.make(picked, system_choice, label)
    fit = fitted.fit
    summary.headline(fitted)
    answer.figures(summary.figures(fit))
    number = plots.sweep_number(fit)
    plots.curves(fit, number)
    summary.keep(fit)
    parts = {
        "Residuals": lambda: plots.residuals(fit, number),
        "What these runs cannot tell": lambda: summary.unidentified(fit),
        "Answered by": lambda: summary.parts(fit),
        plan.TITLE: lambda: plan.show(fitted.system, bar.shared().software.software, fit),
    }
    if not fit.unidentified:
        del parts["What these runs cannot tell"]
    sections.tabs(*(Section(title, draw, drawn_when_closed=True) for title, draw in parts.items()))

fits.show_outcome()
with st.expander("Stored fits", icon=":material/bookmarks:", expanded=not picked):
    fits.listing()
trash.fits()
bound.share()
