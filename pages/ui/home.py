"""Home: the questions as doors."""

from pathlib import Path

import streamlit as st

PAGES = Path(__file__).resolve().parent.parent

DOORS = (
    (
        "Plan",
        (
            (
                "bandwidth_hierarchy",
                ":material/stairs:",
                "Bandwidth hierarchy",
                "How much slower is each level, from on-chip memory to the network, and what does offloading a KV cache cost?",
            ),
            (
                "collectives",
                ":material/hub:",
                "Collectives",
                "How long does an all-reduce of this size take on this machine, and which algorithm should win?",
            ),
            (
                "tensor_parallel",
                ":material/view_column:",
                "TP overhead",
                "At which degree does splitting a layer over GPUs stop paying?",
            ),
            (
                "gradient_sync",
                ":material/sync_alt:",
                "Gradient sync",
                "How much of a training step waits for gradients, and what does that waiting cost a month?",
            ),
            (
                "nvl72",
                ":material/dns:",
                "NVL72 capacity",
                "Does the model fit the rack with its KV cache, what limits it, how fast can it decode?",
            ),
        ),
    ),
    (
        "Check",
        (
            (
                "measurements",
                ":material/monitoring:",
                "Measurements",
                "Upload an nccl-tests, nvbandwidth or topology log and lay it over the model: fine, low, or too good to be true?",
            ),
            (
                "catalog",
                ":material/menu_book:",
                "Catalog",
                "Every link, GPU, switch and model with source, confidence and the disputes between sources.",
            ),
        ),
    ),
)

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
    for section, entries in DOORS:
        st.subheader(section)
        with st.grid("auto", min_column_width=300, gap="small"):
            for name, icon, title, question in entries:
                with st.container(border=True):
                    st.page_link(PAGES / f"{name}.py", label=f"**{title}**", icon=icon)
                    st.caption(question)


def origins():
    """The four origins of a number, which every page offers."""
    st.subheader("Four kinds of rates, chosen everywhere from one list")
    st.markdown(RATES)
    st.caption(
        "A bandwidth here is per GPU and one way, in GB/s = 10⁹ bytes/s; figures that count both directions "
        "are shown as printed and never mixed in."
    )
