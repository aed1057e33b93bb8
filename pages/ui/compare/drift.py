"""Drift: what one machine measured over time, by operation, placement, ranks and size."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.units import format_size
from db.errors import StoreError
from pages.ui.shared import bound, charts, stored

NOTHING = "No machine has two stored runs of the same operation yet: drift shows once one is measured again."
SERIES_KEYS = ["operation", "placement", "dtype", "ranks", "detail"]
MOST_SIZES = 4


def show():
    """Choose a machine and a question of it, and see its time run by run."""
    try:
        machines = [one for one in stored.store().machines() if one.run_count > 1]
    except StoreError as problem:
        st.error(str(problem), title="The store does not answer")
        return
    frames = {
        name: frame for one in machines if len(frame := repeated(one.identity)) for name in [_name(one)]
    }
    if not frames:
        st.info(NOTHING)
        return
    frame = frames[bound.choice("Machine", "drift_machine", list(frames))]
    names = sorted(frame["series"].unique())
    frame = frame[frame["series"] == bound.choice("What was measured", "drift_series", names)]
    sizes = _spread(sorted(frame["size_bytes"].unique()))
    frame = frame[frame["size_bytes"].isin(sizes)].copy()
    frame["size"] = frame["size_bytes"].map(format_size)
    first = frame.sort_values("measured_at").groupby("size_bytes")["time_s"].transform("first")
    frame["ratio"] = frame["time_s"] / first
    charts.draw(_spec(), "Time relative to the first run over the days, by size", rows=frame)
    change = float(np.median(frame.sort_values("measured_at").groupby("size_bytes")["ratio"].last()))
    st.caption(
        f"The newest run takes {change:.2f} times what the first one took, at the median of these sizes."
    )


def repeated(identity):
    """Samples of one machine whose question was measured in at least two runs."""
    frame = pd.DataFrame(stored.store().drift(identity))
    if frame.empty:
        return frame
    frame["series"] = frame.apply(_series, axis=1)
    frame = frame.groupby(["series", "size_bytes", "run_id"], as_index=False).agg(
        {"time_s": "median", "measured_at": "first", "nccl": "first", "driver": "first"}
    )
    runs = frame.groupby(["series", "size_bytes"])["run_id"].transform("nunique")
    frame = frame[runs > 1].copy()
    frame["measured_at"] = pd.to_datetime(frame["measured_at"], utc=True).dt.tz_localize(None)
    frame["software"] = [
        ", ".join(f"{name} {value}" for name, value in (("NCCL", nccl), ("driver", driver)) if value)
        for nccl, driver in zip(frame["nccl"], frame["driver"], strict=True)
    ]
    return frame.drop(columns=["nccl", "driver"])


def _series(row):
    ranks = f"{int(row['ranks'])} ranks" if pd.notna(row["ranks"]) else ""
    words = [row["operation"], ranks, row["placement"], row["dtype"], row["detail"]]
    return ", ".join(str(word) for word in words if word and not (isinstance(word, float) and np.isnan(word)))


def _name(machine):
    hosts = f" on {machine.hosts[0]}" if machine.hosts else ""
    more = f" and {len(machine.hosts) - 1} more" if len(machine.hosts) > 1 else ""
    return f"{machine.gpu_count} × {machine.gpu}{hosts}{more} ({machine.identity[:6]})"


def _spread(sizes):
    """A few sizes from the smallest to the largest."""
    places = np.unique(np.linspace(0, len(sizes) - 1, MOST_SIZES).astype(int))
    return [sizes[place] for place in places]


@lru_cache(maxsize=1)
def _spec():
    base = alt.Chart(charts.rows())
    one = base.mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(y=alt.datum(1))
    line = base.mark_line(point=True).encode(
        x=alt.X(
            "measured_at:T",
            title="Measured",
            axis=alt.Axis(gridOpacity=0.35, format="%d %b %H:%M", labelOverlap="greedy"),
        ),
        y=alt.Y(
            "ratio:Q",
            title="Time, relative to the first run",
            scale=alt.Scale(zero=False, nice=True),
            axis=alt.Axis(format=".2~f", gridOpacity=0.35),
        ),
        color=alt.Color(
            "size:N", title=None, legend=charts.legend(), sort=alt.EncodingSortField("size_bytes")
        ),
        tooltip=[
            alt.Tooltip("measured_at:T", title="Measured"),
            alt.Tooltip("size:N", title="Size"),
            charts.tip("time_s", "Time", "s"),
            alt.Tooltip("ratio:Q", title="Relative", format=".3f"),
            alt.Tooltip("software:N", title="Software"),
        ],
    )
    return charts.spec(alt.layer(one, line), height=280)
