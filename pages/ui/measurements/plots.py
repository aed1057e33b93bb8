"""Charts of the page Measurements: measured points over the model, and two runs compared."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.collectives.pricing import Scenario, Sweep
from pages.ui.measurements.model import links, short_name
from pages.ui.shared import bound, charts, findings, overlay
from pages.ui.shared.measured import Shown
from pages.ui.shared.messages import plain


def model(
    collective: str, points: pd.DataFrame, scenarios: Sequence[Scenario], sweeps: Sequence[Sweep]
) -> None:
    """Curves of the model, each once, under the measured points; points alone for unknown systems."""
    curves = _curves(scenarios, sweeps)
    named = points.assign(series=points["series"] + ", measured")
    operation = collective.replace("_", "-").capitalize()
    if bound.switch("Show", "overlay_show", ("bus bandwidth", "time"), hidden=True) == "time":
        text = f"{operation} time vs message size: measured and model"
        overlay.draw_times(text, curves=curves, points=named)
        return
    text = f"{operation} bus bandwidth vs message size: measured, link rate and model"
    overlay.draw(text, curves=curves, ceiling=overlay.ceilings(links(scenarios)), points=named)


def _curves(scenarios: Sequence[Scenario], sweeps: Sequence[Sweep]) -> pd.DataFrame:
    several = len({scenario.system.gpu.id for scenario in scenarios}) > 1
    curves: dict[str, pd.DataFrame] = {}
    for scenario, sweep in zip(scenarios, sweeps, strict=True):
        whose = short_name(scenario) if several else "model"
        name = f"{whose}, {sweep.rates}, {scenario.ranks} ranks"
        curves.setdefault(name, overlay.curve(sweep, scenario.collective, scenario.ranks, name))
    return pd.concat(curves.values(), ignore_index=True) if curves else overlay.no_curve()


def compared(shown: Sequence[Shown], points: pd.DataFrame) -> None:
    """Two runs of one collective: how many times faster the second is, size by size."""
    names = [item.name for item in shown]
    if len(names) != 2:
        return
    st.subheader("Two runs compared")
    keys = ["size_bytes", "placement"]
    first, second = (
        points[points["run"] == name].drop_duplicates(keys).set_index(keys)["time_s"] for name in names
    )
    ratio = (first / second).dropna().reset_index(name="ratio")
    if ratio.empty:
        st.info("The two runs share no message size and placement.")
        return
    median = float(ratio["ratio"].median())
    faster = names[1] if median >= 1 else names[0]
    times = max(median, 1 / median)
    st.markdown(
        f"**{plain(faster)}** is {times:.2f} times as fast at the median of {len(ratio)} common samples."
    )
    ratios = findings.span(ratio["ratio"], "{:.2f}".format)
    text = f"Time of the first run over time of the second vs message size: {ratios}"
    charts.draw(_ratio_spec(), text, rows=ratio)


@lru_cache(maxsize=1)
def _ratio_spec() -> charts.Spec:
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=True)
        .encode(
            x=charts.size_axis("size_bytes", overlay.SIZE),
            y=alt.Y(
                "ratio:Q",
                title="Time of first / time of second",
                scale=alt.Scale(nice=True, zero=False),
                axis=alt.Axis(format=".2~f", tickCount=6, gridOpacity=0.35),
            ),
            color=alt.Color("placement:N", title=None, legend=charts.legend()),
            tooltip=[
                charts.tip("size_bytes", "Message size", "bytes"),
                alt.Tooltip("ratio:Q", title="Time ratio", format=".3f"),
            ],
        )
    )
    return charts.spec(line, height=260)
