"""The parts every answer has: headline, figures, numbers and sources."""

from contextlib import contextmanager

import streamlit as st

from core.checks import InputError
from core.collectives.cost_model.errors import CostModelError
from pages.ui.shared import bound, tables
from pages.ui.shared.messages import plain

BADGES = {"measured": "measured", "yours": "your rates"}
COLOURS = {
    "published": "violet",
    "spec": "gray",
    "calibrated": "blue",
    "yours": "green",
    "measured": "orange",
}


@contextmanager
def explained():
    """A bad combination is an explanation on the page, and the page ends there."""
    try:
        yield
    except (InputError, CostModelError) as problem:
        st.warning(plain(problem), title="This combination has no answer", icon=":material/rule:")
        bound.share()
        st.stop()


def headline(verdict, reason="", flip="", *, note="", origin=None, yours=False):
    """One sentence that answers, why, and where the answer would change; above it, what of the link was not met."""
    bound.refused()
    with st.container(border=True, key="headline"):
        st.markdown(f"#### {plain(verdict)}")
        if reason:
            st.markdown(reason)
        if flip:
            st.markdown(f":material/swap_horiz: {flip}")
        if note:
            st.caption(note)
        with st.container(horizontal=True, gap="small"):
            if origin:
                st.badge(
                    BADGES.get(str(origin), f"{origin} rates"),
                    color=COLOURS.get(str(origin), "gray"),
                )
            if yours:
                st.badge("yours", color="green")


def figures(pairs):
    """A row of secondary numbers: label, value, help."""
    with st.grid("auto", min_column_width=145, gap="small"):
        for label, value, *explanation in pairs:
            st.metric(label, value, help=explanation[0] if explanation else None, border=True)


def warnings(answer):
    """What the answer itself warns of."""
    for line in answer.warnings:
        st.warning(plain(line), icon=":material/warning:")


def numbers_and_sources(answer, table=None, *, caption=""):
    """The table, the formula, what was assumed and who says so."""
    with st.expander("Numbers, formula and sources", icon=":material/functions:"):
        if table is not None:
            tables.show(table, caption or "Every number of the answer")
        if getattr(answer, "formula", ""):
            st.latex(answer.formula)
        if answer.assumptions:
            st.markdown("**Assumed**\n\n" + "\n".join(f"* {line}" for line in answer.assumptions))
        sources(answer.sources)


def sources(items):
    """The documents behind an answer, each once."""
    st.markdown("**Sources**\n\n" + "\n".join(dict.fromkeys(f"* {cited(one)}" for one in items)))


def cited(source):
    """One document as Markdown, a link where it says where."""
    if isinstance(source, str):
        return source
    title, date = source.title, f" ({source.date})" if source.date else ""
    if source.where.startswith("http"):
        return f"[{title}]({source.where}){date}"
    return f"{title}: {source.where}{date}"
