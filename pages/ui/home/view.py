"""Home: every page with the question it answers, and what the four kinds of rates mean."""

import streamlit as st

from pages.ui.shared.navigation import SECTIONS

RATES = """
| Rates | A number rests on | Use it to |
|---|---|---|
| **calibrated** | constants fitted on published measurements, with a prediction interval (p10-p90) | plan: the most likely result |
| **spec** | the datasheet's unidirectional rate per GPU and the latency of each step | compare systems that nobody has measured |
| **published** | the bidirectional rate without latency, as many documents count | reproduce a published table, and see why it is optimistic |
| **yours** | your cluster: a fit to your own runs, or a rate, latency or measured times that you type | replace the datasheet by your own system |
"""


def cards() -> None:
    """Each page as a card that opens it."""
    for section, pages in SECTIONS.items():
        st.header(section)
        with st.grid("auto", min_column_width=300, gap="small"):
            for page in pages:
                with st.container(border=True, height="stretch"):
                    st.page_link(page.file, label=f"**{page.title}**", icon=page.icon)
                    st.caption(page.question)


def rates() -> None:
    """The four kinds of rates, which every page offers."""
    st.header("Rates: what a number rests on")
    st.markdown(RATES)
    st.caption(
        "Bandwidths are per GPU and unidirectional (per direction), in GB/s = 10⁹ bytes/s. Bidirectional figures "
        "are shown as published and never mixed in."
    )
