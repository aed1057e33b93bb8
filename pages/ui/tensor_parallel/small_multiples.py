"""Small multiples as one grid: a panel for every system and context, a cell for every batch and degree."""

from functools import lru_cache

import altair as alt

from pages.ui.shared import charts

COLOURS = {
    "HBM": "#8ec3ea",
    "FLOPs": "#8fd6b4",
    "kernel starts": "#c9d2dc",
    "launch": "#ffd873",
    "latency": "#f7b26a",
    "wire": "#f19393",
    "NIC": "#d99ad6",
    "reduction": "#c3b3f5",
}
INK = "#10202e"
ROW, FRAME = 19, 95
LEGIBLE = 21


def draw(frame, titles, columns, lines, what, words):
    """
    Draw the cells.

    Args:
        frame: column, row, label, binding, best, fits and the tooltip's figures of every cell.
        titles: column, row, text, align of the panels' names.
        columns: Keys of the batch axis in order, gaps included; what follows ``|`` is shown.
        lines: Keys of the other axis, likewise.
        what: Of the batch axis.
        words: The takeaway.
    """
    charts.draw(_spec(columns, lines, what), words, rows=frame, titles=titles)


@lru_cache(maxsize=64)
def _spec(columns, lines, what):
    shown = "indexof(datum.label, '|') < 0 ? '' : split(datum.label, '|')[1]"
    style = {"labelExpr": shown, "labelAngle": 0, "ticks": False, "domain": False, "labelOverlap": "greedy"}
    scale = {"paddingInner": 0.06, "paddingOuter": 0}
    x = alt.X("column:N", title=what, scale=alt.Scale(domain=list(columns), **scale), axis=alt.Axis(**style))
    y = alt.Y("row:N", title=None, scale=alt.Scale(domain=list(lines), **scale), axis=alt.Axis(**style))
    base = alt.Chart(charts.rows()).encode(x=x, y=y)
    colour = alt.Color(
        "binding:N",
        title="decides",
        scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
        legend=charts.legend("decides"),
    )
    pale = alt.Opacity(
        "fits:O", scale=alt.Scale(domain=["fits", "does not fit"], range=[1, 0.35]), legend=None
    )
    cells = base.mark_rect(cornerRadius=2).encode(color=colour, opacity=pale, tooltip=_tips())
    best = base.transform_filter("datum.best == 'yes'").mark_rect(
        cornerRadius=2, filled=False, fillOpacity=0, stroke=charts.RED, strokeWidth=2
    )
    legible = {"expr": f"width > {LEGIBLE * len(columns)} ? 1 : 0"}
    ink = alt.Color(
        "fits:O", scale=alt.Scale(domain=["fits", "does not fit"], range=[INK, charts.GREY]), legend=None
    )
    text = base.mark_text(fontSize=10, opacity=legible).encode(text="label:N", color=ink)
    names = (
        alt.Chart(charts.rows("titles"))
        .mark_text(align="left", baseline="middle", fontSize=11.5, fontWeight=600, color=charts.GREY, dx=-6)
        .encode(x=x, y=y, text="text:N")
    )
    height = ROW * len(lines) + FRAME
    layers = alt.layer(cells, text, best, names).resolve_scale(color="independent")
    return charts.spec(layers, height=height)


def _tips():
    return [
        alt.Tooltip("system:N", title="System"),
        alt.Tooltip("degree:N", title="Degree"),
        alt.Tooltip("tokens:Q", title="Tokens in a step", format=","),
        alt.Tooltip("context:Q", title="Context", format=","),
        alt.Tooltip("binding:N", title="Decides"),
        alt.Tooltip("share:Q", title="Communication", format=".1%"),
        charts.tip("step_s", "Step", "s"),
        alt.Tooltip("per_gpu:Q", title="Tokens/s per GPU", format=",.0f"),
        alt.Tooltip("fits:N", title="Memory"),
        alt.Tooltip("best:N", title="Best of the degrees"),
    ]
