"""What the links between GPUs are worth: the step as the system stands, and with the GPUs joined otherwise."""

import pandas as pd
import streamlit as st

from core.calculators.layouts import LinkValue
from core.units import format_share, format_time
from pages.ui.shared import answer, tables


def draw(value: LinkValue) -> None:
    """The verdict in a sentence, and every way to join the GPUs as a row."""
    answer.finding(value.text)
    pcie_s = next((option.step_s for option in value.options if not option.linked), None)
    frame = pd.DataFrame(
        {
            "GPUs joined by": f"{option.name}{' (this system)' if option.current else ''}",
            "step": format_time(option.step_s),
            "exposed comm.": format_share(option.share),
            "speed-up over PCIe": None if pcie_s is None else f"{pcie_s / option.step_s:.2f}×",
        }
        for option in value.options
    )
    tables.show(frame, "The step by link between the GPUs", height="content")
    st.caption("The same GPUs, layout and network; links that nobody measured are extrapolated.")
