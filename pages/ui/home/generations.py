"""Chart of Home: what was measured on each scale-up link over its datasheet rate, by generation."""

from functools import cache

import altair as alt
import pandas as pd
import streamlit as st

from core.catalog import LINKS, MEASURED
from core.units import GB, format_rate, whole_percent
from pages.ui.shared import charts
from pages.ui.shared.charts import Spec

SHOWN = {
    "nvlink3": "A100, NVLink 3",
    "nvlink4": "H100/H200, NVLink 4",
    "if-mi300x": "MI300X, Infinity Fabric",
    "nvlink5": "B200, NVLink 5",
}
"""Links of GPU generations that somebody measured, oldest first."""
HEIGHT = 190


@cache
def frame() -> pd.DataFrame:
    """A row for each generation: measured and datasheet rate per direction, and their ratio."""
    rows = []
    for link_id, generation in SHOWN.items():
        measured, stated = MEASURED[link_id].one_way_bytes_per_s, LINKS[link_id].one_way_bytes_per_s
        if stated:
            text = f"{measured / GB:,.0f} of {stated / GB:,.0f} GB/s, {whole_percent(measured / stated)}"
            rows.append((generation, measured, stated, text, MEASURED[link_id].how))
    return pd.DataFrame(rows, columns=["generation", "measured", "spec", "label", "how"])


@cache
def _spec() -> Spec:
    order = list(SHOWN.values())
    y = alt.Y(
        "generation:N", sort=order, title=None, axis=alt.Axis(labelLimit=200, ticks=False, domain=False)
    )
    base = alt.Chart(charts.rows())
    lines = [charts.tip("measured", "measured", "bytes/s"), charts.tip("spec", "datasheet", "bytes/s")]
    tips = [*lines, alt.Tooltip("how:N", title="how")]
    datasheet = base.mark_bar(opacity=0.25, height=22, color=charts.GREY).encode(
        charts.linear_axis("spec", "Bandwidth per GPU and direction", "B/s", axis=alt.X, ticks=5),
        y,
        tooltip=tips,
    )
    measured = base.mark_bar(height=12).encode(alt.X("measured:Q"), y, tooltip=tips)
    text = base.mark_text(align="left", dx=6, baseline="middle", color=charts.GREY).encode(
        alt.X("spec:Q"), y, alt.Text("label:N")
    )
    return charts.spec(datasheet + measured + text, height=HEIGHT)


def draw() -> None:
    """The chart, and the finding in a sentence."""
    table = frame()
    shares = table["measured"] / table["spec"]
    least, most = table.iloc[int(shares.argmin())], table.iloc[int(shares.argmax())]
    finding = (
        f"Measured bandwidth is {whole_percent(shares.min())} of the datasheet's on {least['generation']} "
        f"and {whole_percent(shares.max())} on {most['generation']} ({format_rate(most['measured'])})."
    )
    charts.draw(_spec(), alt=f"Measured over datasheet bandwidth by GPU generation. {finding}", rows=table)
    st.caption(f"{finding} Thin bar: measured by others (busbw of 8 GPUs, or a copy); wide bar: datasheet.")
