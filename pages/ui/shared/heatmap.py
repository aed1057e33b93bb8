"""Heat maps of matrices by pair: rates, latencies, or the words of a topology with their rates."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.units import GB, US
from pages.ui.shared import charts
from pages.ui.shared.messages import plain

MOST_LABELLED = 20
MOST_SIDE = 128
CELL, FRAME, MOST = 38, 80, 700
SPAN_LEAST = 0.25
UNITS = {"bandwidth": ("GB/s", GB), "latency": ("µs", US)}


def of_matrix(matrix):
    """A measured matrix of rates or times; False where it holds no figures to colour."""
    sides = len(matrix.rows), len(matrix.columns)
    if matrix.kind not in UNITS or min(sides) < 2 or max(sides) > MOST_SIDE:
        return False
    unit, scale = UNITS[matrix.kind]
    cells = [
        (row, column, cell / scale, f"{cell / scale:.3g}", "")
        for row, values in zip(matrix.rows, matrix.values, strict=True)
        for column, cell in zip(matrix.columns, values, strict=True)
        if isinstance(cell, float)
    ]
    if len(cells) < 2:
        return False
    way = (matrix.direction or "").replace("_", " ")
    # The diagonal of a bandwidth matrix is a copy inside one GPU's memory: it would hide the links.
    across = [cell for cell in cells if cell[0] != cell[1]] or cells
    draw(f"{matrix.name} {way}".strip(), across, unit, matrix.rows, matrix.columns)
    return True


def draw(name, cells, unit, rows, columns):
    """Cells as (row, column, value, label, more words for the tooltip); rows and columns in this order."""
    frame = pd.DataFrame(cells, columns=["row", "column", "value", "label", "words"])
    low, high = frame["value"].min(), frame["value"].max()
    # Alike pairs look alike: the colours span a quarter of the highest value at least.
    dark = min(low, (1 - SPAN_LEAST) * high)
    span = (frame["value"] - dark) / (high - dark) if high > dark else pd.Series(1.0, index=frame.index)
    frame["ink"] = np.where(span > 0.55, "#10202e", "#f4f7fa")
    labelled = max(len(rows), len(columns)) <= MOST_LABELLED
    height = min(CELL * len(rows) + FRAME, MOST)
    order = tuple(map(str, rows)), tuple(map(str, columns))
    words = f"{name}: {len(frame)} pairs from {low:.3g} to {high:.3g} {unit}"
    charts.draw(_spec(unit, height, labelled, (dark, high), *order), words, rows=frame)
    st.caption(
        f"{plain(name)}, {unit}: lowest {low:.4g}, median {frame['value'].median():.4g}, highest {high:.4g}."
    )


@lru_cache(maxsize=64)
def _spec(unit, height, labelled, span, rows, columns):
    base = alt.Chart(charts.rows())
    x = alt.X("column:N", title="to", sort=list(columns), axis=alt.Axis(orient="top", labelAngle=0))
    y = alt.Y("row:N", title="from", sort=list(rows))
    tips = [
        alt.Tooltip("row:N", title="From"),
        alt.Tooltip("column:N", title="To"),
        alt.Tooltip("value:Q", title=unit, format=".4~g"),
        alt.Tooltip("words:N", title="Path"),
    ]
    colour = alt.Color(
        "value:Q",
        title=unit,
        scale=alt.Scale(scheme="viridis", domain=list(span)),
        legend=alt.Legend(gradientLength=120),
    )
    chart = base.mark_rect().encode(x=x, y=y, color=colour, tooltip=tips)
    if labelled:
        ink = alt.Color("ink:N", scale=None, legend=None)
        chart = alt.layer(
            chart, base.mark_text(fontSize=11).encode(x=x, y=y, text="label:N", color=ink)
        ).resolve_scale(color="independent")
    return charts.spec(chart, height=height)
