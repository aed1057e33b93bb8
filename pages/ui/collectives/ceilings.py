"""Beside one answer: the ceilings of the scale-up link, and what other published models predict."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.bandwidth_hierarchy import Ceiling
from core.calculators.bandwidth_hierarchy import ladder as ceilings_of
from core.checks import InputError
from core.collectives.cost_model.peers import PEERS, peer_answers
from core.collectives.pricing import Answer, Scenario, setting_of
from core.collectives.rates import Rates
from core.hardware import System
from core.units import format_rate, format_time
from pages.ui.collectives import plots
from pages.ui.shared import answered, charts, findings, palette
from pages.ui.shared.messages import plain

KINDS = (
    ("ceiling", palette.GREY),
    ("other models", palette.GREY),
    ("answer", palette.BLUE),
    ("this answer", palette.BLUE),
    ("measured", palette.ORANGE),
)
"""Colour of each bar and point: the answer stands out."""


@lru_cache(maxsize=32)
def _ceilings(system: System) -> tuple[Ceiling, ...]:
    return ceilings_of(system)


def ladder(scenario: Scenario, result: Answer) -> None:
    """From datasheet bandwidth down to the best bus bandwidth of a domain, and this answer beside them."""
    ceilings = _ceilings(scenario.system)
    if not ceilings:
        st.info("No link of this system is known well enough to state its ceilings.")
        return
    rows = [
        (f"{ceiling.name} ({ceiling.origin})", ceiling.bytes_per_s, "ceiling", ceiling.meaning)
        for ceiling in ceilings
    ]
    if result.busbw_bytes_per_s:
        rows.append(("this answer", result.busbw_bytes_per_s, "answer", f"{scenario.ranks} ranks"))
    points = plots.published(scenario)
    if not points.empty:
        rows.append(
            ("measured, published", float(points["busbw"].max()), "measured", "the best published point")
        )
    frame = pd.DataFrame(rows, columns=["name", "bytes_per_s", "kind", "meaning"])
    frame["label"] = [format_rate(value) for value in frame["bytes_per_s"]]
    rates = findings.listed(frame["name"], frame["bytes_per_s"], format_rate)
    text = f"Ceilings of the scale-up link and this answer's bus bandwidth: {rates}"
    charts.draw(_ladder_spec(), text, rows=frame)


@lru_cache(maxsize=1)
def _ladder_spec() -> charts.Spec:
    base = alt.Chart(charts.rows())
    x = charts.linear_axis("bytes_per_s", "Bandwidth per GPU", "B/s", axis=alt.X, ticks=4)
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=190, labelOverlap=False))
    bars = base.mark_bar(cornerRadiusEnd=3).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", scale=palette.scale(KINDS), legend=None),
        tooltip=[
            alt.Tooltip("name:N", title="Ceiling"),
            charts.tip("bytes_per_s", "Bandwidth per GPU", "bytes/s"),
            alt.Tooltip("meaning:N", title="Meaning"),
        ],
    )
    text = base.mark_text(align="left", dx=4, fontSize=10, color=palette.LABEL).encode(
        x=x, y=y, text="label:N"
    )
    return charts.spec(alt.layer(bars, text), height=300)


def peers(scenario: Scenario, result: Answer) -> None:
    """What other published models predict, beside this answer and its prediction interval."""
    if result.time_s <= 0:
        st.info("Nothing moves, so every model predicts zero.")
        return
    try:
        predictions = peer_answers(setting_of(replace(scenario, rates=Rates())), [scenario.size_bytes])
    except InputError as problem:
        st.info(plain(f"The other models have no answer: {problem}"))
        return
    titles = {peer.key: peer.title for peer in PEERS}
    rows = [(titles[key], float(times_s[0]), "other models") for key, times_s in predictions.items()]
    rows.append((f"this answer, {answered.series(result.rates)}", result.time_s, "this answer"))
    frame = pd.DataFrame(rows, columns=["name", "time_s", "kind"])
    frame["label"] = [f"{format_time(time_s)} ({time_s / result.time_s:.2f}×)" for time_s in frame["time_s"]]
    interval = pd.DataFrame([(result.low_s, result.high_s)], columns=["low_s", "high_s"])
    times = findings.listed(frame["name"], frame["time_s"], format_time)
    text = f"Predicted time by published model, beside this answer and its prediction interval: {times}"
    charts.draw(_peers_spec(), text, rows=frame, interval=interval)
    st.caption(
        "Each model with its own constants and known defects. Shaded: prediction interval of this answer, p10 to p90."
    )


@lru_cache(maxsize=1)
def _peers_spec() -> charts.Spec:
    base = alt.Chart(charts.rows())
    x = charts.log_axis("time_s", "Predicted time", "s")
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=190, labelOverlap=False))
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", scale=palette.scale(KINDS), legend=None),
        tooltip=[alt.Tooltip("name:N", title="Model"), charts.tip("time_s", "Time", "s")],
    )
    text = base.mark_text(align="left", dx=9, fontSize=10, color=palette.LABEL).encode(
        x=x, y=y, text="label:N"
    )
    interval = alt.Chart(charts.rows("interval")).mark_rect(opacity=0.18, color=charts.GREY)
    interval = interval.encode(x=charts.log_axis("low_s", "Predicted time", "s"), x2="high_s:Q")
    return charts.spec(alt.layer(interval, points, text), height=300)
