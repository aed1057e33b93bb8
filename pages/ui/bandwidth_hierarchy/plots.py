"""Charts of the page Bandwidth hierarchy."""

from collections.abc import Callable
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.calculators.bandwidth_hierarchy import Answer, Level
from core.catalog import link_name
from core.units import KB, TB, format_rate, format_size, format_time
from pages.ui.bandwidth_hierarchy import summary
from pages.ui.shared import charts, findings, palette

SIZES = np.geomspace(KB, TB, 73)
PATHS = {"direct": "GPUDirect RDMA", "bounce": "bounce buffer", "bounce, pipelined": "pipelined bounce"}
BANDWIDTH = "Unidirectional bandwidth per GPU"


def bandwidth(result: Answer) -> None:
    """Bandwidth of the levels on one logarithmic axis."""
    floor = min(level.bytes_per_s for level in result.levels) / 10
    frame = pd.DataFrame(
        {
            "level": summary.name(level),
            "link": link_name(level.link),
            "bytes_per_s": level.bytes_per_s,
            "floor": floor,
            "ratio": summary.slowdown(level),
            "direction": level.direction,
            "tier": level.tier,
            "latency_s": level.latency_s,
            "label": ", ".join(filter(None, (format_rate(level.bytes_per_s), summary.slowdown(level)))),
        }
        for level in result.levels
    )
    rates = findings.listed(frame["level"], frame["bytes_per_s"], format_rate)
    text = f"Bandwidth per GPU by level of the hierarchy: {rates}"
    charts.draw(_bandwidth_spec(_colours(result, summary.name)), text, rows=frame)


def _colours(result: Answer, name: Callable[[Level], str]) -> tuple[tuple[str, str], ...]:
    """Each level in the colour of its link."""
    return tuple((name(level), palette.of_link(level.link, level.level)) for level in result.levels)


def times(result: Answer) -> None:
    """Transfer time over size, one line a level."""
    frames = []
    for level in result.levels:
        rate = level.bytes_per_s if level.latency_s == 0 else level.half_size_bytes / level.latency_s
        times_s = level.latency_s + SIZES / rate
        frames.append(pd.DataFrame({"size_bytes": SIZES, "time_s": times_s, "level": level.level}))
    rows = pd.concat(frames, ignore_index=True)
    times = findings.ends(rows, "level", "size_bytes", "time_s", format_time)
    spec = _times_spec(_colours(result, lambda level: level.level))
    charts.draw(spec, f"Transfer time vs size by level: {times}", rows=rows)


def gpudirect(result: Answer) -> None:
    """GPUDirect RDMA against a bounce buffer in host memory."""
    if not result.paths:
        st.info("No network or no host link: there is no path to compare.")
        return
    rows = [
        (PATHS.get(path.name, path.name), path.bytes_per_s, path.time_s, format_rate(path.bytes_per_s))
        for path in result.paths
    ]
    frame = pd.DataFrame(rows, columns=["name", "bytes_per_s", "time_s", "label"])
    rates = findings.listed(frame["name"], frame["bytes_per_s"], format_rate)
    text = f"Bandwidth from GPU to network, GPUDirect RDMA vs host bounce buffer: {rates}"
    charts.draw(_paths_spec(), text, rows=frame)
    direct, *_, bounce = result.paths
    st.caption(
        "A bounce buffer that is not pipelined crosses the host link twice on each side and is "
        f"{direct.bytes_per_s / bounce.bytes_per_s:.2g} times slower than GPUDirect RDMA."
    )


def offload(result: Answer) -> None:
    """The same bytes to host memory, at every published bandwidth of the host link."""
    if not result.offload:
        st.info("No host link is known for this system.")
        return
    rows = [(copy.tier, copy.bytes_per_s, copy.time_s, format_time(copy.time_s)) for copy in result.offload]
    frame = pd.DataFrame(rows, columns=["name", "bytes_per_s", "time_s", "label"])
    times = findings.listed(frame["name"], frame["time_s"], format_time)
    charts.draw(_offload_spec(), f"Time to offload to host memory by bandwidth tier: {times}", rows=frame)
    st.caption(
        f"{format_size(result.size_bytes)} to host memory, one direction. *published* divides by the bidirectional "
        "figure and is twice too fast."
    )


@lru_cache(maxsize=64)
def _bandwidth_spec(colours: tuple[tuple[str, str], ...]) -> charts.Spec:
    base = alt.Chart(charts.rows())
    y = alt.Y("level:N", title=None, sort=None)
    x = charts.log_axis("bytes_per_s", "Bandwidth per GPU, in the direction shown", "B/s")
    tips = [
        alt.Tooltip("level:N", title="Level"),
        alt.Tooltip("link:N", title="Link"),
        charts.tip("bytes_per_s", "Bandwidth", "bytes/s"),
        alt.Tooltip("direction:N", title="Direction"),
        alt.Tooltip("tier:N", title="Bandwidth tier"),
        charts.tip("latency_s", "Latency", "s"),
        alt.Tooltip("ratio:N", title="Against the level above"),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(
        x=x,
        x2="floor:Q",
        y=y,
        color=alt.Color("level:N", scale=palette.scale(colours), legend=None),
        tooltip=tips,
    )
    text = base.mark_text(align="left", dx=6, color=palette.LABEL).encode(x=x, y=y, text="label:N")
    return charts.spec(alt.layer(bars, text), height=230)


@lru_cache(maxsize=64)
def _times_spec(colours: tuple[tuple[str, str], ...]) -> charts.Spec:
    lines = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=charts.size_axis("size_bytes", "Transfer size"),
            y=charts.log_axis("time_s", "Transfer time, one direction", "s", axis=alt.Y),
            color=alt.Color(
                "level:N", title=None, scale=palette.scale(colours), legend=charts.legend(columns=4)
            ),
            tooltip=[
                alt.Tooltip("level:N", title="Level"),
                charts.tip("size_bytes", "Size", "bytes"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(lines)


@lru_cache(maxsize=1)
def _paths_spec() -> charts.Spec:
    x = charts.linear_axis("bytes_per_s", BANDWIDTH, "B/s", axis=alt.X)
    return _named_bars(x, "Path")


@lru_cache(maxsize=1)
def _offload_spec() -> charts.Spec:
    x = charts.linear_axis("time_s", "Transfer time, one direction", "s", axis=alt.X)
    return _named_bars(x, "Bandwidth tier")


def _named_bars(x: alt.X, what: str) -> charts.Spec:
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=160))
    tips = [
        alt.Tooltip("name:N", title=what),
        charts.tip("bytes_per_s", "Bandwidth", "bytes/s"),
        charts.tip("time_s", "Time", "s"),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(x=x, y=y, tooltip=tips)
    text = base.mark_text(align="left", dx=5, color=palette.LABEL).encode(x=x, y=y, text="label:N")
    return charts.spec(alt.layer(bars, text), height=190)
