"""Gradient sync, the timeline: buckets behind the compute of each pass, and what sticks out."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.units import format_time
from pages.ui.shared import charts

MOST_BARS = 240
COMPUTE, EXPOSED = "compute", "sticks out"


def timeline(found):
    """Compute and buckets of each pass, in time, and the pass in words."""
    if not found.passes:
        st.info("A timeline needs compute to hide behind and no stated share: clear *Share that may hide*.")
        return
    frame = _bars(found.passes)
    names = tuple(dict.fromkeys([COMPUTE, EXPOSED, *frame["track"]]))
    rows = len(frame[["pass", "track"]].drop_duplicates())
    charts.draw(_spec(names, rows), "Compute and communication of the passes of a step", rows=frame)
    st.markdown("\n".join(f"* {line}" for line in map(_words, found.passes)))
    st.caption(
        f"{found.buckets:,} bucket(s) a pass, one at a time on the wire; long rows are drawn in {MOST_BARS} pieces."
    )


def _words(one):
    """First bucket ready, last one done, what sticks out."""
    line = one.timeline
    busy = [track for track in line.tracks if track.end_s.size]
    often = f" (×{one.times})" if one.times > 1 else ""
    name = f"**{one.name}**{often}"
    if not busy:
        return f"{name}: nothing to send."
    first, last = (
        min(float(track.ready_s[0]) for track in busy),
        max(float(track.end_s[-1]) for track in busy),
    )
    ready = (
        "the first bucket may leave at once"
        if first == 0
        else f"first bucket ready after {format_time(first)}"
    )
    done = f"last one done after {format_time(last)} of {format_time(line.compute_s)} of compute"
    return f"{name}: {ready}, {done}; {format_time(line.exposed_s)} stick out."


def _bars(passes):
    rows = []
    for one in passes:
        name = one.name if one.times == 1 else f"{one.name} (×{one.times})"
        line = one.timeline
        rows.append((name, COMPUTE, 0.0, line.compute_s))
        if line.exposed_s > 0:
            rows.append((name, EXPOSED, line.compute_s, line.compute_s + line.exposed_s))
        for track in line.tracks:
            pieces = np.array_split(np.arange(track.start_s.size), min(track.start_s.size, MOST_BARS))
            rows += [(name, track.name, track.start_s[part[0]], track.end_s[part[-1]]) for part in pieces]
    return pd.DataFrame(rows, columns=["pass", "track", "start_s", "end_s"])


@lru_cache(maxsize=16)
def _spec(names, rows):
    palette = ["#5b8def", charts.RED, "#e8890c", "#2b8a3e", "#7b3fe4", "#0c8599"]
    colours = alt.Scale(domain=list(names), range=palette[: len(names)])
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(strokeWidth=0.7)
        .encode(
            x=charts.linear_axis("start_s", "Time from the start of the pass (s)", "s", axis=alt.X),
            x2="end_s:Q",
            y=alt.Y("pass:N", title=None, sort=None),
            yOffset=alt.YOffset("track:N", sort=list(names)),
            color=alt.Color("track:N", title=None, scale=colours, legend=charts.legend()),
            stroke=alt.Stroke("track:N", title=None, scale=colours, legend=charts.legend()),
            tooltip=[
                alt.Tooltip("pass:N", title="Pass"),
                alt.Tooltip("track:N", title="What"),
                charts.tip("start_s", "From", "s"),
                charts.tip("end_s", "To", "s"),
            ],
        )
    )
    return charts.spec(bars, height=120 + 26 * rows)
