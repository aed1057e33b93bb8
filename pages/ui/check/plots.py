"""Charts of the page Check: measured points over the prediction interval, and matrices by pair."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from core.measurement import Matrix, Run
from core.verdict import SizeVerdict, Status
from pages.ui.check.summary import Checked
from pages.ui.shared import bound, charts, heatmap, names, overlay, palette
from pages.ui.shared.measured import NO_PLACEMENT

MOST_MATRICES = 8
BAND, ONE_SIZE = 0.22, 40
"""Opacity of an interval, and the pixels of its width where it is that of one message size: an area or a line would have none."""


def sizes(checked: Checked) -> None:
    """Measured bus bandwidth or time over its prediction interval."""
    verdict, factor = checked.verdict, checked.busbw_factor
    expected = [size for size in verdict.sizes if size.expected_s]
    if not expected or not factor:
        return
    operation = names.operation(verdict.collective).capitalize()
    st.subheader(f"{operation}: measured and prediction interval vs message size")
    shown = bound.switch("Show", "check_show", ("bus bandwidth", "time"), hidden=True)
    counts = Counter(str(size.status) for size in verdict.sizes)
    verdicts = ", ".join(
        f"{count} of {len(verdict.sizes)} {status}" for status, count in counts.most_common()
    )
    text = f"{operation} {shown} vs message size: measured, prediction interval (p10-p90) and verdicts: {verdicts}"
    statuses = tuple(status for status in Status if any(size.status is status for size in verdict.sizes))
    band, points = _interval(expected, factor), _points(verdict.sizes, factor)
    distinct = {size.size_bytes for size in verdict.sizes}
    only = next(iter(distinct)) if len(distinct) == 1 else None
    placements = len({size.placement for size in verdict.sizes})
    charts.draw(_spec(shown, statuses, only, placements), text, band=band, points=points)
    st.caption("Grey: expected, and the prediction interval (p10-p90).")


def matrices(run: Run) -> None:
    """Matrices of rates or latencies as heat maps."""
    drawn = [matrix for matrix in run.matrices if _drawable(matrix)]
    if drawn:
        st.subheader("Rate or latency of every pair")
    for matrix in drawn[:MOST_MATRICES]:
        heatmap.of_matrix(matrix)


def _drawable(matrix: Matrix) -> bool:
    return matrix.kind in heatmap.UNITS and min(len(matrix.rows), len(matrix.columns)) > 1


@lru_cache(maxsize=16)
def _spec(shown: str, statuses: tuple[Status, ...], only: int | None, placements: int) -> charts.Spec:
    """Interval, expectation and points in the colours of their verdicts; ``only`` where all are of one size."""
    expected_field, low, high = ("time_s", "low_s", "high_s") if shown == "time" else ("busbw", "low", "high")
    title, unit = (overlay.TIME, "s") if shown == "time" else (overlay.BUSBW, "B/s")
    axis = charts.log_axis if shown == "time" else charts.linear_axis

    def y(field: str) -> Any:
        return axis(field, title, unit, axis=alt.Y)

    x = charts.size_axis("size_bytes", overlay.SIZE, only=only)
    expected = alt.Chart(charts.rows("band"))
    if only is None:
        band = expected.mark_area(opacity=BAND, color=charts.GREY, tooltip=None)
        line = expected.mark_line(size=2, color=charts.GREY)
    else:
        band = expected.mark_bar(size=ONE_SIZE, opacity=BAND, color=charts.GREY, tooltip=None)
        line = expected.mark_tick(size=ONE_SIZE, thickness=2, orient="horizontal", color=charts.GREY)
    band, line = band.encode(x=x, y=y(low), y2=high), line.encode(x=x, y=y(expected_field))
    points = (
        alt.Chart(charts.rows("points"))
        .mark_point(filled=True, size=50, opacity=0.85)
        .encode(
            x=x,
            y=y(expected_field),
            color=alt.Color(
                "series:N",
                title=None,
                scale=palette.by_verdict(statuses),
                legend=charts.legend(columns=6, narrow=3),
            ),
            shape=alt.Shape("placement:N", title=None, legend=overlay.placement_legend(placements)),
            tooltip=[*overlay.TIPS, alt.Tooltip("placement:N", title="Placement")],
        )
    )
    return charts.spec(alt.layer(band, line, points), height=290)


def _interval(sizes: Sequence[SizeVerdict], factor: float) -> pd.DataFrame:
    rows = sorted({(size.size_bytes, size.expected_s, size.low_s, size.high_s) for size in sizes})
    frame = pd.DataFrame(rows, columns=["size_bytes", "time_s", "low_s", "high_s"])
    moved = factor * frame["size_bytes"]
    return frame.assign(
        busbw=moved / frame["time_s"],
        low=moved / frame["high_s"],
        high=moved / frame["low_s"],
    )


def _points(sizes: Sequence[SizeVerdict], factor: float) -> pd.DataFrame:
    rows = [
        (
            size.size_bytes,
            factor * size.size_bytes / size.time_s,
            size.time_s,
            str(size.status),
            size.placement or NO_PLACEMENT,
        )
        for size in sizes
        if size.size_bytes and size.time_s
    ]
    return pd.DataFrame(rows, columns=["size_bytes", "busbw", "time_s", "series", "placement"])
