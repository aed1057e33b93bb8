"""Small multiples as one chart: a panel for every system and context length, a cell for every batch and degree."""

from functools import lru_cache

import altair as alt
import pandas as pd

from pages.ui.shared import charts, palette
from pages.ui.tensor_parallel.terms import COLOURS

INK = "#10202e"
ROW, FRAME = 19, 85
LEGIBLE = 21


def draw(
    frame: pd.DataFrame,
    titles: pd.DataFrame,
    *,
    columns: tuple[str, ...],
    lines: tuple[str, ...],
    x_title: str,
    description: str,
) -> None:
    """
    Draw the cells.

    Args:
        frame: column, row, label, binding, best, fits and the tooltip's figures of every cell.
        titles: column, row and text of the panels' names.
        columns: Keys of the batch axis in order, gaps included; what follows ``|`` is shown.
        lines: Keys of the other axis, likewise.
        x_title: Title of the batch axis.
        description: The finding, for screen readers.
    """
    charts.draw(_spec(columns, lines, x_title), description, wide=True, rows=frame, titles=titles)


@lru_cache(maxsize=64)
def _spec(columns: tuple[str, ...], lines: tuple[str, ...], x_title: str) -> charts.Spec:
    x = alt.X("column:N", title=x_title, scale=_scale(columns), axis=_axis())
    y = alt.Y("row:N", title=None, scale=_scale(lines), axis=_axis())
    base = alt.Chart(charts.rows()).encode(x=x, y=y)
    colour = alt.Color(
        "binding:N",
        scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
        legend=charts.legend("Bottleneck", columns=4, narrow=2),
    )
    pale = charts.PALE
    cells = base.mark_rect(cornerRadius=2).encode(color=colour, opacity=pale, tooltip=_tips())
    best = base.transform_filter("datum.best == 'yes'").mark_rect(
        cornerRadius=2, filled=False, fillOpacity=0, stroke=charts.RED, strokeWidth=2
    )
    legible = {"expr": f"width > {LEGIBLE * len(columns)} ? 1 : 0"}
    ink = alt.Color(
        "fits:O", scale=alt.Scale(domain=list(charts.FITS), range=[INK, palette.LABEL]), legend=None
    )
    text = base.mark_text(fontSize=10, opacity=legible).encode(text="label:N", color=ink)
    names = (
        alt.Chart(charts.rows("titles"))
        .mark_text(align="left", baseline="middle", fontSize=11.5, fontWeight=600, color=palette.LABEL, dx=-6)
        .encode(x=x, y=y, text="text:N")
    )
    layers = alt.layer(cells, text, best, names).resolve_scale(color="independent")
    return charts.spec(layers, height=ROW * len(lines) + FRAME)


def _scale(keys: tuple[str, ...]) -> alt.Scale:
    return alt.Scale(domain=list(keys), paddingInner=0.06, paddingOuter=0)


def _axis() -> alt.Axis:
    shown = "indexof(datum.label, '|') < 0 ? '' : split(datum.label, '|')[1]"
    return alt.Axis(labelExpr=shown, labelAngle=0, ticks=False, domain=False, labelOverlap="greedy")


def _tips() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("system:N", title="System"),
        alt.Tooltip("degree:N", title="Degree"),
        alt.Tooltip("tokens:Q", title="Batched tokens per step", format=","),
        alt.Tooltip("context:Q", title="Context length", format=","),
        alt.Tooltip("binding:N", title="Bottleneck"),
        charts.tip("share", "Exposed communication", "%"),
        charts.tip("step_s", "Step time", "s"),
        alt.Tooltip("per_gpu:Q", title="Tokens/s per GPU", format=",.0f"),
        alt.Tooltip("fits:N", title="Memory"),
        alt.Tooltip("best:N", title="Best degree"),
    ]
