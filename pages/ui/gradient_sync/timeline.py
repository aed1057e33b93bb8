"""The bucket timeline: gradient buckets behind the compute of each pass, and what stays exposed."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.calculators.gradient_sync import Answer, Pass
from core.units import counted, format_time
from pages.ui.shared import charts, palette

MOST_BARS = 240
COMPUTE, EXPOSED = "compute", "exposed"
PALETTE = (palette.COMPUTE, palette.EXPOSED, palette.ORANGE, palette.GREEN, palette.VIOLET, palette.TEAL)


def draw(result: Answer) -> None:
    """Compute and buckets of each pass over time, and the pass in words."""
    frame = _bars(result.passes)
    tracks = tuple(dict.fromkeys([COMPUTE, EXPOSED, *frame["track"]]))
    rows = len(frame[["pass", "track"]].drop_duplicates())
    exposed = ", ".join(
        f"{_name(part)} {format_time(part.timeline.exposed_s)} exposed of {format_time(part.timeline.compute_s)} of compute"
        for part in result.passes
    )
    charts.draw(
        _spec(tracks, rows), f"Compute and gradient buckets over time, by pass: {exposed}", rows=frame
    )
    st.markdown("\n".join(f"* {_text(part)}" for part in result.passes))
    buckets = f"{counted(result.buckets, 'bucket')} per pass, one at a time on the link"
    st.caption(f"{buckets}; long rows are drawn in {MOST_BARS} bars.")


def _name(part: Pass) -> str:
    return part.name if part.times == 1 else f"{part.name} (×{part.times})"


def _text(part: Pass) -> str:
    """When the first bucket is ready and the last one done, and what is exposed."""
    timeline, name = part.timeline, f"**{_name(part)}**"
    busy = [track for track in timeline.tracks if track.end_s.size]
    if not busy:
        return f"{name}: nothing to send."
    first_s = min(float(track.ready_s[0]) for track in busy)
    last_s = max(float(track.end_s[-1]) for track in busy)
    ready = (
        "first bucket ready at once" if first_s == 0 else f"first bucket ready after {format_time(first_s)}"
    )
    done = f"last one done after {format_time(last_s)} of {format_time(timeline.compute_s)} of compute"
    return f"{name}: {ready}, {done}; {format_time(timeline.exposed_s)} exposed."


def _bars(passes: tuple[Pass, ...]) -> pd.DataFrame:
    rows: list[tuple[str, str, float, float]] = []
    for part in passes:
        name, timeline = _name(part), part.timeline
        rows.append((name, COMPUTE, 0.0, timeline.compute_s))
        if timeline.exposed_s > 0:
            rows.append((name, EXPOSED, timeline.compute_s, timeline.compute_s + timeline.exposed_s))
        for track in timeline.tracks:
            count = track.start_s.size
            groups = np.array_split(np.arange(count), min(count, MOST_BARS)) if count else []
            rows += [
                (name, track.name, float(track.start_s[group[0]]), float(track.end_s[group[-1]]))
                for group in groups
            ]
    return pd.DataFrame(rows, columns=["pass", "track", "start_s", "end_s"])


@lru_cache(maxsize=16)
def _spec(tracks: tuple[str, ...], rows: int) -> charts.Spec:
    colours = alt.Scale(domain=list(tracks), range=list(PALETTE[: len(tracks)]))
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(strokeWidth=0.7)
        .encode(
            x=charts.linear_axis("start_s", "Time from the start of the pass", "s", axis=alt.X),
            x2="end_s:Q",
            y=alt.Y("pass:N", title=None, sort=None),
            yOffset=alt.YOffset("track:N", sort=list(tracks)),
            color=alt.Color("track:N", title=None, scale=colours, legend=charts.legend(narrow=2)),
            stroke=alt.Stroke("track:N", title=None, scale=colours, legend=charts.legend(narrow=2)),
            tooltip=[
                alt.Tooltip("pass:N", title="Pass"),
                alt.Tooltip("track:N", title="Work"),
                charts.tip("start_s", "From", "s"),
                charts.tip("end_s", "To", "s"),
            ],
        )
    )
    return charts.spec(bars, height=90 + 26 * rows)
