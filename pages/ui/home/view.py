"""Home: the question box with what it finds, the worked scenarios, and every page in short groups."""

import streamlit as st

from pages.ui.home import generations, scenarios
from pages.ui.home.search import search
from pages.ui.shared import bound
from pages.ui.shared.messages import plain
from pages.ui.shared.navigation import SECTIONS, Page

RATES = """
| Rates | A number rests on | Use it to |
|---|---|---|
| **calibrated** | constants fitted on published measurements, with a prediction interval (p10-p90) | plan: the most likely result |
| **spec** | the datasheet's unidirectional rate per GPU and the latency of each step | compare systems that nobody has measured |
| **published** | the bidirectional rate without latency, as many documents count | reproduce a published table, and see why it is optimistic |
| **yours** | your cluster: a fit to your own runs, or a rate, latency or measured times that you type | replace the datasheet by your own system |
"""
EXAMPLES = "tp4 or tp8 · what if PCIe · is my busbw ok · NVL72 · InfiniBand or RoCE"


def question_box() -> None:
    """The question in free text, and below it the pages and terms that answer it."""
    question = bound.text("What do you want to know?", "q", "", placeholder=EXAMPLES)
    if not question.strip():
        return
    results = search(question)
    with st.container(border=True, key="results"):
        for page in results.pages:
            _page(page)
        for entry in results.terms:
            st.markdown(f":material/dictionary: {entry.text}")
        if not results.pages and not results.terms:
            st.markdown(f"No page or term for *{plain(question[:80])}*. All pages are below.")


def _page(page: Page) -> None:
    with st.container(gap=None):
        st.page_link(page.file, label=f"**{page.title}**", icon=page.icon)
        st.markdown(page.question)


def worked() -> None:
    """The five scenarios with their answers, and the chart beside them."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.header("Worked scenarios")
        for scenario, answer in zip(scenarios.WORKED, scenarios.answers(), strict=True):
            with st.container(gap=None):
                st.page_link(
                    scenario.page.file,
                    label=f"**{scenario.question}**",
                    icon=scenario.page.icon,
                    query_params=dict(scenario.inputs),
                )
                st.markdown(plain(answer))
    with right:
        st.header("Measured over datasheet")
        generations.draw()


def pages() -> None:
    """Every page by section, its question as its help."""
    st.header("All pages")
    with st.grid("auto", min_column_width=240, gap="medium"):
        for section, items in SECTIONS.items():
            with st.container(gap=None):
                st.markdown(f"**{section}**")
                for page in items:
                    st.page_link(page.file, label=page.title, icon=page.icon, help=page.question)


def rates() -> None:
    """The four kinds of rates, which every page offers."""
    st.header("Rates: what a number rests on")
    st.markdown(RATES)
    st.caption(
        "Bandwidths are per GPU and unidirectional (per direction), in GB/s = 10⁹ bytes/s. Bidirectional figures "
        "are shown as published and never mixed in."
    )
