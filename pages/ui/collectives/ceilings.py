"""Beside one answer: the ladder of ceilings, and what other published formulas would say."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.bandwidth_hierarchy import ladder as ceiling_ladder
from core.checks import InputError
from core.collectives.cost_model.errors import CostModelError
from core.collectives.cost_model.peers import PEERS, peer_answers
from core.collectives.pricing import setting_of
from core.collectives.rates import Rates
from core.units import format_rate, format_time
from pages.ui.collectives import view as collectives
from pages.ui.shared import charts


@lru_cache(maxsize=32)
def _rungs(system):
    return ceiling_ladder(system)


def ladder(asked, found):
    """From the figure on the box down to the best collective of a domain, and this answer beside them."""
    rungs = _rungs(asked.system)
    if not rungs:
        st.info("No link of this machine is known well enough to build a ladder.")
        return
    rows = [(f"{one.name} ({one.origin})", one.bytes_per_s, "ceiling", one.meaning) for one in rungs]
    if found.busbw_bytes_per_s:
        rows.append(("this answer", found.busbw_bytes_per_s, "answer", f"{asked.ranks} ranks"))
    points = collectives.published(asked)
    if not points.empty:
        rows.append(
            ("measured, published", float(points["busbw"].max()), "measured", "the best published point")
        )
    frame = pd.DataFrame(rows, columns=["name", "bytes_per_s", "kind", "meaning"])
    frame["label"] = [format_rate(value) for value in frame["bytes_per_s"]]
    charts.draw(_ladder_spec(), "Ceilings of the scale-up link, and this answer", rows=frame)


@lru_cache(maxsize=1)
def _ladder_spec():
    base = alt.Chart(charts.rows())
    x = charts.linear_axis("bytes_per_s", "Per GPU (bytes/s)", "B/s", axis=alt.X, ticks=4)
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=190, labelOverlap=False))
    bars = base.mark_bar(cornerRadiusEnd=3).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", title=None, sort=None, legend=None),
        tooltip=[
            alt.Tooltip("name:N", title="Rung"),
            charts.tip("bytes_per_s", "Per GPU", "bytes/s"),
            alt.Tooltip("meaning:N", title="Meaning"),
        ],
    )
    text = base.mark_text(align="left", dx=4, fontSize=10, color=charts.GREY).encode(x=x, y=y, text="label:N")
    return charts.spec(bars + text, height=330)


def peers(asked, found):
    """A strip of what other formulas would answer, and the band of this one."""
    if found.time_s <= 0:
        st.info("Nothing moves, so every formula answers zero.")
        return
    try:
        told = peer_answers(setting_of(replace(asked, rates=Rates())), [asked.size_bytes])
    except (InputError, CostModelError) as problem:
        st.info(f"The other formulas cannot be asked: {problem}")
        return
    titles = {one.key: one.title for one in PEERS}
    rows = [(titles[key], float(values[0]), "other formulas") for key, values in told.items()]
    rows.append((f"this answer, {found.rates}", found.time_s, "this answer"))
    frame = pd.DataFrame(rows, columns=["name", "time_s", "kind"])
    times = frame["time_s"] / found.time_s
    frame["label"] = [f"{format_time(value)} ({times[at]:.2f}×)" for at, value in enumerate(frame["time_s"])]
    band = pd.DataFrame([(found.low_s, found.high_s)], columns=["low_s", "high_s"])
    charts.draw(
        _peers_spec(), "Time by other formulas beside this answer and its band", rows=frame, band=band
    )
    st.caption("Constants and defects of each formula included; shaded: the band of this answer, p10 to p90.")


@lru_cache(maxsize=1)
def _peers_spec():
    base = alt.Chart(charts.rows())
    x = charts.log_axis("time_s", "Time (s)", "s", ticks=4)
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=190, labelOverlap=False))
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", title=None, sort=None, legend=None),
        tooltip=[alt.Tooltip("name:N", title="Formula"), charts.tip("time_s", "Time", "s")],
    )
    text = base.mark_text(align="left", dx=9, fontSize=10, color=charts.GREY).encode(x=x, y=y, text="label:N")
    band = alt.Chart(charts.rows("band")).mark_rect(opacity=0.18, color=charts.GREY)
    band = band.encode(x=charts.log_axis("low_s", "Time (s)", "s", ticks=4), x2="high_s:Q")
    return charts.spec(alt.layer(band, points, text), height=330)
