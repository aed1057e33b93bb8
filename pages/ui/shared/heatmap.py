"""Heat maps by pair: rates, latencies, or the paths of a topology with their rates."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.measurement import Matrix
from core.units import GB, US, counted
from pages.ui.shared import charts
from pages.ui.shared.messages import plain

MOST_LABELLED = 20
MOST_SIDE = 128
FEW = 4
"""Columns that a phone shows without scrolling."""
CELL, FRAME, MOST = 38, 80, 700
LEAST_SPAN = 0.25
DARK_INK, LIGHT_INK, BRIGHT = "#10202e", "#f4f7fa", 0.55
UNITS = {"bandwidth": ("GB/s", GB), "latency": ("µs", US)}


@dataclass(frozen=True, slots=True)
class Cell:
    """A pair: its value, the label in its cell, and the path in its tooltip."""

    row: str
    column: str
    value: float
    label: str
    path: str = ""


def of_matrix(matrix: Matrix) -> bool:
    """Draw a measured matrix of rates or times; False where it contains no figures to colour."""
    sides = len(matrix.rows), len(matrix.columns)
    if matrix.kind not in UNITS or min(sides) < 2 or max(sides) > MOST_SIDE:
        return False
    unit, scale = UNITS[matrix.kind]
    cells = [
        Cell(row, column, value / scale, f"{value / scale:.3g}")
        for row, values in zip(matrix.rows, matrix.values, strict=True)
        for column, value in zip(matrix.columns, values, strict=True)
        if isinstance(value, float)
    ]
    if len(cells) < 2:
        return False
    # The diagonal of a bandwidth matrix is a copy inside one GPU's memory: it would hide the links.
    across = [cell for cell in cells if cell.row != cell.column] or cells
    draw(f"{matrix.name} {matrix.direction_text}".strip(), across, unit, matrix.rows, matrix.columns)
    return True


def draw(name: str, cells: Sequence[Cell], unit: str, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Draw cells in ``unit``, with rows and columns in this order, and their range in words."""
    frame = pd.DataFrame(asdict(cell) for cell in cells)
    low, high = frame["value"].min(), frame["value"].max()
    # Alike pairs look alike: the colours span a quarter of the highest value at least.
    dark = min(low, (1 - LEAST_SPAN) * high)
    brightness = (frame["value"] - dark) / (high - dark) if high > dark else pd.Series(1.0, index=frame.index)
    frame["ink"] = np.where(brightness > BRIGHT, DARK_INK, LIGHT_INK)
    labelled = max(len(rows), len(columns)) <= MOST_LABELLED
    height = min(CELL * len(rows) + FRAME, MOST)
    order = tuple(map(str, rows)), tuple(map(str, columns))
    text = f"{name}: {counted(len(frame), 'pair')} from {low:.3g} to {high:.3g} {unit}"
    charts.draw(
        _spec(unit, height, labelled, (dark, high), *order), text, wide=len(columns) > FEW, rows=frame
    )
    st.caption(
        f"{plain(name)}, {unit}: lowest {low:.3g}, median {frame['value'].median():.3g}, highest {high:.3g}."
    )


@lru_cache(maxsize=64)
def _spec(
    unit: str,
    height: int,
    labelled: bool,
    span: tuple[float, float],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
) -> charts.Spec:
    base = alt.Chart(charts.rows())
    x = alt.X("column:N", title="to", sort=list(columns), axis=alt.Axis(orient="top", labelAngle=0))
    y = alt.Y("row:N", title="from", sort=list(rows))
    tips = [
        alt.Tooltip("row:N", title="From"),
        alt.Tooltip("column:N", title="To"),
        alt.Tooltip("value:Q", title=unit, format=".4~g"),
        alt.Tooltip("path:N", title="Path"),
    ]
    colour = alt.Color(
        "value:Q",
        title=unit,
        scale=alt.Scale(scheme="viridis", domain=list(span)),
        legend=alt.Legend(gradientLength=120),
    )
    chart: alt.Chart | alt.LayerChart = base.mark_rect().encode(x=x, y=y, color=colour, tooltip=tips)
    if labelled:
        ink = alt.Color("ink:N", scale=None, legend=None)
        chart = alt.layer(
            chart, base.mark_text(fontSize=11).encode(x=x, y=y, text="label:N", color=ink)
        ).resolve_scale(color="independent")
    return charts.spec(chart, height=height)
