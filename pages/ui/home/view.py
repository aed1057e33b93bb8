"""Home: the questions as doors."""

import streamlit as st

from pages.ui.shared.navigation import TOUR

RATES = """
| Rates | What stands behind a number | Use it to |
|---|---|---|
| **published** | the sources' convention: both directions added up, no latency | reproduce a published table, and see why it is optimistic |
| **spec** | the datasheet, one way per GPU, latency per step | compare machines nobody has measured |
| **calibrated** | constants fitted on published measurements, with a band | plan: what you will most likely see |
| **yours** | your own rate, latency or measured points | replace the datasheet by your machine |
"""


def doors():
    """Each question as a card that opens its page."""
    for section, stops in TOUR.items():
        st.subheader(section)
        with st.grid("auto", min_column_width=300, gap="small"):
            for stop in stops:
                with st.container(border=True, height="stretch"):
                    st.page_link(stop.file, label=f"**{stop.title}**", icon=stop.icon)
                    st.caption(stop.question)


def origins():
    """The four origins of a number, which every page offers."""
    st.subheader("Four kinds of rates, chosen everywhere from one list")
    st.markdown(RATES)
    st.caption(
        "A bandwidth here is per GPU and one way, in GB/s = 10⁹ bytes/s; figures that count both directions "
        "are shown as printed and never mixed in."
    )
