"""Chart specs of the page Parallelism layouts."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt

from pages.ui.shared import charts, names, palette, tooltips

IMPOSSIBLE = "impossible"
VERDICTS = ("as good", "good enough", "costly", "avoid", IMPOSSIBLE)
COLOURS = ("#2b8a3e", "#5f7d16", "#a35f00", "#c92a4b", "#5c6b7d")
"""Of the verdicts; white figures have 4.5 to 1 on each."""
PARETO, DOMINATED = "Pareto front", "dominated"
SHORT_LAYOUT = "replace(replace(datum.label, ', micro-batch ', ', mb '), ' recomputation', '')"
"""A layout's name as a phone has room for it."""
FAINT = 0.35
ROW = 38
"""Pixels of a row of cells."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity of a tooltip with its unit."""

    name: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class MapAxes:
    """Titles of the two axes of a map, and its labels in order."""

    across: str
    up: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]

    def distinct(self) -> "MapAxes":
        """The same with each label once."""
        columns, rows = (tuple(dict.fromkeys(labels)) for labels in (self.columns, self.rows))
        return MapAxes(self.across, self.up, columns, rows)


def _pareto(x: Any, y: Any, horizontal: Quantity, vertical: Quantity) -> charts.Spec:
    tips = [
        alt.Tooltip("layout:N", title="Layout"),
        charts.tip("x", horizontal.name, horizontal.unit),
        charts.tip("y", vertical.name, vertical.unit),
    ]
    colours = alt.Scale(domain=[PARETO, DOMINATED], range=[charts.RED, charts.GREY])
    points = (
        alt.Chart(charts.rows())
        .mark_point(filled=True, size=45)
        .encode(
            x=x,
            y=y,
            color=alt.Color("set:N", title=None, scale=colours, legend=charts.legend(narrow=2)),
            opacity=alt.condition("datum.pareto", alt.value(1), alt.value(FAINT)),
            tooltip=tips,
        )
    )
    line = alt.Chart(charts.rows("front")).mark_line(color=charts.RED, size=1.5, interpolate="step-after")
    best = alt.Chart(charts.rows("best"))
    ring = best.mark_point(size=190, strokeWidth=2.5, color=charts.RED).encode(x=x, y=y, tooltip=tips)
    return charts.spec(alt.layer(line.encode(x=x, y=y), points, ring))


@lru_cache(maxsize=1)
def training_pareto() -> charts.Spec:
    """Step time against memory."""
    x = charts.log_axis("x", "Step time", "s")
    y = charts.linear_axis("y", "Memory of the fullest GPU", "B")
    return _pareto(x, y, Quantity("Step time", "s"), Quantity("Memory", "bytes"))


@lru_cache(maxsize=1)
def serving_pareto() -> charts.Spec:
    """TPOT against tokens/s per GPU."""
    x = charts.log_axis("x", "TPOT", "s")
    y = charts.linear_axis("y", "Tokens/s per GPU")
    return _pareto(x, y, Quantity("TPOT", "s"), Quantity("Tokens/s per GPU"))


@lru_cache(maxsize=8)
def placement(kinds: int) -> charts.Spec:
    """
    Kinds of parallelism by interconnect, coloured by verdict, both in the order of the rows.

    No name of them is part of the spec: with another spec a browser builds the chart anew.
    """
    top = alt.Axis(orient="top", labelAngle=-60, labelOverlap=False, labelLimit=220)
    base = alt.Chart(charts.rows()).encode(
        x=alt.X("interconnect:N", title=None, sort=None, axis=top),
        y=alt.Y("kind:N", title=None, sort=None),
        tooltip=[
            alt.Tooltip("kind:N", title="Parallelism"),
            alt.Tooltip("interconnect:N", title="Interconnect"),
            alt.Tooltip("share:N", title="Exposed communication"),
            alt.Tooltip("longer:N", title="Step time against the best"),
            alt.Tooltip("layout:N", title="Layout"),
            alt.Tooltip("note:N", title="Note"),
        ],
    )
    boxes = base.mark_rect(stroke="transparent", strokeWidth=3, cornerRadius=3).encode(
        color=alt.Color(
            "verdict:N",
            title=None,
            scale=alt.Scale(domain=list(VERDICTS), range=list(COLOURS)),
            legend=alt.Legend(orient="bottom", columns=3, symbolOpacity=1),
        )
    )
    size = alt.ExprRef(f"containerSize()[0] < {charts.NARROW} ? 10.5 : 12")
    text = base.mark_text(fontSize=size, fontWeight=600, color="#ffffff").encode(text="cell:N")
    # Legend and slanted names stand around the rows: only the width is fitted.
    plot = alt.layer(boxes, text).properties(autosize=alt.AutoSizeParams(type="fit-x", contains="padding"))
    return charts.spec(plot, height=ROW * kinds)


@lru_cache(maxsize=64)
def crossover_map(axes: MapAxes, winners: tuple[str, ...]) -> charts.Spec:
    """Regions by best layout; the ring marks the current inputs."""
    x = alt.X(
        "across:N",
        title=names.sentence(axes.across),
        sort=list(axes.columns),
        axis=alt.Axis(labelAngle=-40, labelOverlap="greedy"),
    )
    y = alt.Y(
        "up:N",
        title=names.sentence(axes.up),
        sort=list(reversed(axes.rows)),
        axis=alt.Axis(labelOverlap="greedy"),
    )
    legend = charts.legend(columns=1, label=SHORT_LAYOUT)
    cells = (
        alt.Chart(charts.rows())
        .mark_rect()
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "winner:N",
                title=None,
                sort=list(winners),
                scale=alt.Scale(domain=list(winners)),
                legend=legend,
            ),
            tooltip=[
                alt.Tooltip("winner:N", title="Best layout"),
                alt.Tooltip("across:N", title=names.sentence(axes.across)),
                alt.Tooltip("up:N", title=names.sentence(axes.up)),
                alt.Tooltip("value:N", title="With"),
                charts.tip("margin", "Ahead of the next", "%"),
            ],
        )
    )
    ring = alt.Chart(charts.rows("here")).mark_point(shape="circle", size=130, strokeWidth=3, color="#ffffff")
    return charts.spec(alt.layer(cells, ring.encode(x=x, y=y)), height=300 + 20 * len(winners))


@lru_cache(maxsize=8)
def sensitivity(order: tuple[str, ...], quantity: str) -> charts.Spec:
    """Change of step time or TPOT with each input halved and doubled."""
    axis = alt.Axis(labelExpr=tooltips.share("datum.value", "+~r"), gridOpacity=0.35)
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(height=16)
        .encode(
            y=alt.Y("input:N", title=None, sort=list(order), axis=alt.Axis(labelLimit=200)),
            x=alt.X("change:Q", title=f"Change of {quantity}", axis=axis),
            color=alt.Color(
                "turn:N",
                title=None,
                scale=palette.scale((("halved", palette.BLUE), ("doubled", palette.ORANGE))),
                legend=charts.legend(narrow=2),
            ),
            tooltip=[
                alt.Tooltip("input:N", title="Input"),
                alt.Tooltip("turn:N", title="Input is"),
                charts.tip("change", f"Change of {quantity}", "+%"),
                charts.tip("step_s", names.sentence(quantity), "s"),
            ],
        )
    )
    zero = alt.Chart(charts.rows()).mark_rule(color=charts.GREY).encode(x=alt.datum(0))
    return charts.spec(alt.layer(bars, zero), height=60 + 34 * len(order))


@lru_cache(maxsize=1)
def clusters() -> charts.Spec:
    """Tokens/s per GPU of the best layout on each size of the cluster."""
    base = alt.Chart(charts.rows())
    x = charts.counts_axis("gpus", "GPUs (world size)")
    y = charts.linear_axis("tokens", "Tokens/s per GPU")
    line = base.mark_line(color=charts.GREY, size=1.5).encode(x=x, y=y)
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=x,
        y=y,
        color=alt.Color("degrees:N", title=None, sort=None, legend=charts.legend(columns=4, narrow=3)),
        tooltip=[
            alt.Tooltip("gpus:Q", title="GPUs", format=","),
            alt.Tooltip("layout:N", title="Best layout"),
            alt.Tooltip("tokens:Q", title="Tokens/s per GPU", format=",.0f"),
        ],
    )
    return charts.spec(alt.layer(line, points), height=270)


@lru_cache(maxsize=1)
def nvlink() -> charts.Spec:
    """Speed-up by NVLink by situation, and where it is useful and needed."""
    verdicts = alt.Scale(
        domain=["needed", "useful", "not needed"], range=[COLOURS[3], COLOURS[2], COLOURS[4]]
    )
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("situation:N", title=None, sort=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)),
            x=alt.X(
                "gain:Q",
                title="Speed-up by NVLink (×)",
                scale=alt.Scale(zero=True, nice=True),
                axis=alt.Axis(tickCount=5, gridOpacity=0.35),
            ),
            color=alt.Color("verdict:N", title=None, scale=verdicts, legend=charts.legend(narrow=3)),
            tooltip=[
                alt.Tooltip("question:N", title="Question"),
                alt.Tooltip("gain:Q", title="Speed-up", format=".3g"),
                charts.tip("with_s", "With NVLink", "s"),
                charts.tip("without_s", "On PCIe", "s"),
                alt.Tooltip("verdict:N", title="Verdict"),
            ],
        )
    )
    rule = alt.Chart(charts.rows("limits")).mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(x="gain:Q")
    return charts.spec(alt.layer(bars, rule), height=280)
