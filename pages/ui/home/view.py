"""Home: the question box with what it finds, the worked scenarios, and every page in short groups."""

import streamlit as st

from pages.ui.home import generations, scenarios
from pages.ui.home.search import search
from pages.ui.home.understood.link import Link, link
from pages.ui.home.understood.pages import ordered
from pages.ui.home.understood.question import read as understood
from pages.ui.home.understood.rates_alone import answers
from pages.ui.home.understood.unread import unread
from pages.ui.shared import bound, chapters, record
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
MOST_UNREAD = 80
"""Characters of what was not understood that are repeated."""
EXAMPLES = "TP4 or TP8 for Llama 70B on H200 · what if PCIe for 4x RTX 4090 · all-reduce 1 GiB over 16 GPUs"


def question_box() -> None:
    """The question in free text, and below it the pages and terms that answer it."""
    question = bound.text("What do you want to know?", "q", "", placeholder=EXAMPLES)
    if not question.strip():
        return
    results, read = search(question), understood(question)
    pages = ordered(read, results.pages)
    with st.container(border=True, key="results"):
        for line in answers(read):
            st.markdown(plain(line))
        links = [link(page.name, read) for page in pages]
        for page, carried in zip(pages, links, strict=True):
            _page(page, carried)
        if pages and (lost := ", ".join(unread(read, links))):
            st.caption(f":material/info: Not understood, and in no link: {plain(lost[:MOST_UNREAD])}")
        for entry in results.terms:
            st.markdown(f":material/dictionary: {entry.text}")
        if results.documentation:
            chapters.reference()
        elif not pages and not results.terms and not answers(read):
            st.markdown(f"No page or term for *{plain(question[:80])}*. All pages are below.")


def _page(page: Page, carried: Link) -> None:
    """A page that answers the question, with what the question says of its inputs."""
    with st.container(gap=None):
        st.page_link(page.file, label=f"**{page.title}**", icon=page.icon, query_params=dict(carried.inputs))
        st.markdown(page.question)
        if carried.said:
            st.caption(f"Understood: {plain(' · '.join(carried.said))}")


def worked() -> None:
    """The five scenarios with their answers, and the chart beside them."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.header("Worked scenarios")
        for scenario, answer in zip(scenarios.WORKED, scenarios.answers(), strict=True):
            record.current().findings.append(f"**{scenario.question}** {plain(answer)}")
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


def document() -> None:
    """The headline of the page's document, whose parts are the scenarios; the page itself has none."""
    record.current().text = "Five worked scenarios, answered with today's model."


def pages() -> None:
    """Every page by section, its question as its help."""
    st.header("All pages")
    with st.grid(len(SECTIONS), min_column_width=160, gap="small"):
        for section, items in SECTIONS.items():
            with st.container(gap=None):
                st.markdown(f"**{section}**")
                for page in items:
                    st.page_link(page.file, label=page.title, icon=page.icon, help=page.question)


def rates() -> None:
    """The four kinds of rates, which every page offers."""
    with st.expander("Rates: what a number rests on", icon=":material/speed:"):
        st.markdown(RATES)
        st.caption(
            "Bandwidths are per GPU and unidirectional (per direction), in GB/s = 10⁹ bytes/s. Bidirectional "
            "figures are shown as published and never mixed in."
        )
