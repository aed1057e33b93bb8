"""Drift: what one system measured over time, by operation, placement, ranks and size."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.measurement.speedup import Speedup
from core.units import format_size
from db.errors import StoreError
from db.records import Columns, MachineHistory
from pages.ui.shared import bound, charts, empty_state, findings, log_names, stored
from pages.ui.shared.messages import plain

EMPTY = "No system has two stored runs of the same operation yet: drift is shown once it is measured again."
MOST_SIZES, FEW_TICKS = 4, 4
MOST_RUNS = 200


def show() -> None:
    """Choose a system and a series of it, and see its time run by run."""
    store = stored.store()
    try:
        repeated = store.repeated_series()
        machines = {machine.identity: machine for machine in store.machines()} if repeated else {}
        if not repeated:
            empty_state.show(EMPTY, empty_state.push_command())
            return
        measured = {series.identity for series in repeated}
        named = {_name(machine): identity for identity, machine in machines.items() if identity in measured}
        identity = named[bound.choice("System", "drift_machine", list(named))]
        by_name = {series.name: series for series in repeated if series.identity == identity}
        names = {name: log_names.remark(name) for name in by_name}
        series = by_name[bound.choice("Series", "drift_series", by_name, names=names)]
        frame = times(store.series_drift(series, MOST_RUNS))
    except StoreError as problem:
        stored.outage(problem)
        return
    if frame.empty:
        st.caption("No message size of this series was measured twice with right results.")
        return
    _draw(_relative(frame), identity, machines)
    st.caption(plain(newest_against_first(frame)))


def _draw(frame: pd.DataFrame, identity: str, machines: Mapping[str, MachineHistory]) -> None:
    """The chart, and what it comes to."""
    moved = findings.ends(frame, "size", "measured_at", "ratio", "{:.2f}".format)
    charts.draw(
        _spec(*_time_axis(frame["measured_at"])),
        f"Time relative to the first run vs date, by message size: {moved}",
        rows=frame,
    )
    if machines[identity].run_count > MOST_RUNS:
        st.caption(f"Drawn: the newest {MOST_RUNS} runs of the series.")


def newest_against_first(frame: pd.DataFrame) -> str:
    """How much faster each size was measured at last than at first, as runs are compared above."""
    by_size = frame.sort_values("measured_at").groupby("size_bytes")["time_s"]
    ratios = by_size.last() / by_size.first()
    speedup = Speedup.of(list(ratios.index), list(ratios))
    return f"{speedup.sentence('the first', 'The newest run')}. {speedup.scope}"


def _time_axis(moments: "pd.Series[Any]") -> tuple[str, str]:
    """Format of the ticks and title of the axis: what all runs share stands in the title alone."""
    first, last = moments.min(), moments.max()
    if first.date() != last.date():
        year = f"UTC, {first:%Y}" if first.year == last.year else "UTC"
        return ("%d %b" if first.year == last.year else "%d %b %Y"), f"Measured ({year})"
    seconds = last - first < pd.Timedelta(minutes=10)
    return ("%H:%M:%S" if seconds else "%H:%M"), f"Measured on {first:%d %b %Y} (UTC)"


def _relative(frame: pd.DataFrame) -> pd.DataFrame:
    """A few sizes of a series, each time as a multiple of the first run's."""
    sizes = _spread(sorted(frame["size_bytes"].unique()))
    frame = frame[frame["size_bytes"].isin(sizes)].copy()
    frame["size"] = frame["size_bytes"].map(format_size)
    first = frame.sort_values("measured_at").groupby("size_bytes")["time_s"].transform("first")
    frame["ratio"] = frame["time_s"] / first
    return frame


def times(columns: Columns) -> pd.DataFrame:
    """The times of one series at the sizes that at least two runs measured, one for each run and size."""
    frame = pd.DataFrame(columns)
    if frame.empty:
        return frame
    frame = frame.groupby(["size_bytes", "run_id"], as_index=False).agg(
        {"time_s": "median", "measured_at": "first", "nccl": "first", "driver": "first"}
    )
    runs = frame.groupby("size_bytes")["run_id"].transform("nunique")
    frame = frame[runs > 1].copy()
    frame["measured_at"] = pd.to_datetime(frame["measured_at"], utc=True).dt.tz_localize(None)
    frame["software"] = [
        ", ".join(f"{name} {value}" for name, value in (("NCCL", nccl), ("driver", driver)) if value)
        for nccl, driver in zip(frame["nccl"], frame["driver"], strict=True)
    ]
    return frame.drop(columns=["nccl", "driver"])


def _name(machine: MachineHistory) -> str:
    hosts = f" on {machine.hosts[0]}" if machine.hosts else ""
    more = f" and {len(machine.hosts) - 1} more" if len(machine.hosts) > 1 else ""
    return f"{machine.gpu_count} × {machine.gpu}{hosts}{more} ({machine.identity[:6]})"


def _spread(sizes: Sequence[int]) -> list[int]:
    """A few sizes from the smallest to the largest."""
    places = np.unique(np.linspace(0, len(sizes) - 1, MOST_SIZES).astype(int))
    return [sizes[place] for place in places]


@lru_cache(maxsize=16)
def _spec(ticks: str, title: str) -> charts.Spec:
    base = alt.Chart(charts.rows())
    equal = base.mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(y=alt.datum(1))
    line = base.mark_line(point=True).encode(
        x=alt.X(
            "measured_at:T",
            title=title,
            axis=alt.Axis(gridOpacity=0.35, format=ticks, labelOverlap="greedy", tickCount=FEW_TICKS),
        ),
        y=alt.Y(
            "ratio:Q",
            title="Time / time of the first run",
            scale=alt.Scale(zero=False, nice=True),
            axis=alt.Axis(format=".2~f", gridOpacity=0.35),
        ),
        color=alt.Color(
            "size:N", title=None, legend=charts.legend(), sort=alt.EncodingSortField("size_bytes")
        ),
        tooltip=[
            alt.Tooltip("measured_at:T", title="Measured", format="%d %b %Y %H:%M:%S"),
            alt.Tooltip("size:N", title="Message size"),
            charts.tip("time_s", "Time", "s"),
            alt.Tooltip("ratio:Q", title="Relative to the first", format=".3f"),
            alt.Tooltip("software:N", title="Software"),
        ],
    )
    return charts.spec(alt.layer(equal, line), height=250)
