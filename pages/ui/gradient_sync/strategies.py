"""Communication of a step by strategy: exposed, and overlapped with compute."""

from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.gradient_sync import Scenario
from core.units import format_time
from pages.ui.gradient_sync import summary
from pages.ui.shared import charts, findings, palette

PARTS = (("overlapped", palette.OVERLAPPED), ("exposed", palette.EXPOSED))


def draw(scenario: Scenario) -> None:
    """A stacked bar for every strategy that has an answer."""
    rows = []
    for answer in summary.strategies(scenario):
        fits = "fits" if answer.memory.fits else "does not fit"
        name = summary.STRATEGY_NAMES[answer.strategy]
        rows.append((name, "exposed", answer.exposed_s, fits))
        rows.append((name, "overlapped", answer.hidden_s, fits))
    frame = pd.DataFrame(rows, columns=["strategy", "part", "time_s", "fits"])
    exposed = frame[frame["part"] == "exposed"]
    times = findings.listed(exposed["strategy"], exposed["time_s"], format_time)
    text = f"Communication per step by strategy, exposed and overlapped with compute; exposed: {times}"
    charts.draw(_spec(), text, rows=frame)
    st.caption("Pale: parameters, gradients and Adam's states do not fit the GPU.")


@lru_cache(maxsize=1)
def _spec() -> charts.Spec:
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("strategy:N", title=None, sort=None),
            x=charts.linear_axis("time_s", "Communication per step", "s", axis=alt.X),
            color=alt.Color("part:N", title=None, scale=palette.scale(PARTS), legend=charts.legend(narrow=2)),
            opacity=charts.PALE,
            order=alt.Order("part:O"),
            tooltip=[
                alt.Tooltip("strategy:N", title="Strategy"),
                alt.Tooltip("part:N", title="Communication"),
                charts.tip("time_s", "Time", "s"),
                alt.Tooltip("fits:N", title="Memory"),
            ],
        )
    )
    return charts.spec(bars, height=230)
