"""Chart grammar shared by all pages: axes in SI units, specs built once, frames sent as Arrow."""

import json
from html import escape
from typing import Any, TypeAlias

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.shared import arrow, chart_layers, log_ticks, palette, record, tooltips

Channel: TypeAlias = type[alt.X] | type[alt.Y]
Spec: TypeAlias = dict[str, Any]

HEIGHT = 290
FITS = ("fits", "does not fit")
PALE = alt.Opacity("fits:O", scale=alt.Scale(domain=list(FITS), range=[1, 0.35]), legend=None)
"""What has no room is drawn pale."""
NARROW = 400
NAME = 280
"""Pixels that a name in a legend has at least; in a wide chart more."""
MOST_NAMED = 4
FEW_NAMED, NAMED = 4, 26
"""Names of a legend that leave the plot its room, and pixels for each one more: on a phone every name has a line."""
AROUND = 16
"""Times by which an axis of one message size goes on to both sides."""
GREY, RED = palette.GREY, palette.RED
_SECONDS = tooltips.prefixed("datum.value", "s")
LOG_TIME = tooltips.duration("datum.value", _SECONDS, whole=True)
"""Labels of a logarithmic axis of time: its ticks are whole minutes, hours, days and years."""
EVEN_TIME = f"datum.value >= 1000 ? format(datum.value, ',') + ' s' : {_SECONDS}"
"""Labels of a linear axis of time, whose ticks are even in seconds: never kiloseconds."""
_CONFIG = {
    "axis": {"labelColor": palette.LABEL, "titleColor": palette.LABEL, "titlePadding": 8},
    "axisY": {"labelFlush": False, "labelBaseline": "middle"},
    "legend": {"labelColor": palette.LABEL, "titleColor": palette.LABEL, "offset": 8, "padding": 2},
}
"""Beside the theme: words that are legible, labels of the vertical axis on their gridlines, no room that nothing stands in."""
_AROUND = {"bottom": 4, "left": 3, "right": 8}
"""Pixels: below a chart Streamlit leaves twenty, and beside it none for the last label of an axis."""


def log_axis(
    field: str,
    title: str,
    unit: str,
    *,
    axis: Channel = alt.X,
    label: str = "",
) -> Any:
    """A logarithmic axis with few ticks at even steps and SI prefixes, or labels by an expression of its own."""
    scale = alt.Scale(type="log", nice=False)
    style = alt.Axis(
        values=log_ticks.even(unit, "x" if axis is alt.X else "y"),
        labelExpr=label or (LOG_TIME if unit == "s" else tooltips.si("datum.value", unit)),
        gridOpacity=0.35,
        labelOverlap="greedy",
    )
    return axis(f"{field}:Q", title=title, scale=scale, axis=style)


DOUBLINGS, SIXTEENFOLDS = ([2**power for power in range(2, 52, step)] for step in (1, 4))
FEW_SIXTEENFOLDS = 2**10
"""An axis that spans less has room for a label at every doubling."""


def size_axis(field: str, title: str, *, axis: Channel = alt.X, only: int | None = None) -> Any:
    """
    Message sizes on a logarithmic axis, labelled in KiB, MiB and GiB; ``only`` in its middle where it is the only one.

    Every sixteenfold has a label; where that would be one label or two, every doubling.
    """
    scale_name = "x" if axis is alt.X else "y"
    span = f"domain('{scale_name}')[1] / domain('{scale_name}')[0]"
    values: Any = (
        [only] if only else alt.ExprRef(f"{span} < {FEW_SIXTEENFOLDS} ? {DOUBLINGS} : {SIXTEENFOLDS}")
    )
    style = alt.Axis(
        values=values, labelExpr=tooltips.binary("datum.value"), gridOpacity=0.35, labelOverlap="greedy"
    )
    domain = [only / AROUND, only * AROUND] if only else alt.Undefined
    scale = alt.Scale(type="log", base=2, nice=False, domain=domain)
    return axis(f"{field}:Q", title=title, scale=scale, axis=style)


def linear_axis(
    field: str, title: str, unit: str = "", *, axis: Channel = alt.Y, ticks: int = 6, zero: bool = True
) -> Any:
    """A linear axis with SI prefixes."""
    label = EVEN_TIME if unit == "s" else tooltips.si("datum.value", unit)
    style = alt.Axis(tickCount=ticks, labelExpr=label, gridOpacity=0.35)
    return axis(f"{field}:Q", title=title, scale=alt.Scale(zero=zero, nice=True), axis=style)


def share_axis(
    field: str, title: str, *, axis: Channel = alt.Y, stack: Any = None, top: float | None = 1
) -> Any:
    """A share of one in percent; ``top`` None ends the axis where the data do."""
    style = alt.Axis(labelExpr=tooltips.share("datum.value", "~r"), tickCount=5, gridOpacity=0.35)
    scale = alt.Scale(domain=[0, top]) if top else alt.Scale(zero=True, nice=True)
    return axis(f"{field}:Q", title=title, axis=style, scale=scale, stack=stack)


def counts_axis(field: str, title: str, *, axis: Channel = alt.X) -> Any:
    """Whole numbers on a logarithmic axis, labelled at powers of two."""
    powers = [2**k for k in range(0, 21, 2)]
    style = alt.Axis(values=powers, format=",d", gridOpacity=0.35, labelOverlap="greedy")
    return axis(f"{field}:Q", title=title, scale=alt.Scale(type="log", base=2, nice=False), axis=style)


def legend(
    title: str | None = None,
    *,
    columns: int | None = None,
    colour: str | None = None,
    narrow: int = 1,
    orient: Any = "top",
    label: str = "",
    values: list[str] | None = None,
    offset: int | None = None,
) -> alt.Legend:
    """
    At the top, so that it never squeezes the plot; on a phone in ``narrow`` columns, so that none is cut off.

    Two legends at one side stand next to each other: of two, one belongs at the bottom. ``label`` is an
    expression for shorter names on a phone; ``values`` are those that are named; ``offset`` is its distance in
    pixels, where something is written between it and the plot.
    """
    # The width itself says nothing here; that it is asked lets Vega lay the legend out again when it changes.
    on_phone = f"width >= 0 && containerSize()[0] < {NARROW}"
    return alt.Legend(
        orient=orient,
        title=title,
        values=alt.Undefined if values is None else values,
        columns=alt.ExprRef(f"{on_phone} ? {narrow} : {columns or 0}"),
        labelLimit=alt.ExprRef(f"max({NAME}, width - 30)"),
        offset=alt.Undefined if offset is None else offset,
        labelExpr=f"{on_phone} ? {label} : datum.label" if label else alt.Undefined,
        symbolOpacity=1,
        symbolStrokeWidth=3 if colour is None else 1,
        symbolFillColor=colour or alt.Undefined,
        symbolStrokeColor=colour or alt.Undefined,
    )


tip = tooltips.line


def room(names: int, height: int = HEIGHT) -> int:
    """Pixels of a chart whose legend has so many names."""
    return height + NAMED * max(0, names - FEW_NAMED)


def named(count: int, **options: Any) -> alt.Legend | None:
    """No legend where ``names`` writes the few series beside their lines."""
    return legend(**options) if count > MOST_NAMED else None


def names(count: int, x: str, y: str, series: str) -> list[alt.Chart]:
    """The names of up to four series at the ends of their lines, in the colours of these."""
    if count > MOST_NAMED:
        return []
    text = alt.Chart(rows()).mark_text(align="right", dx=-3, dy=-9, fontSize=11.5, fontWeight=600)
    return [
        text.encode(
            x=alt.X(f"{x}:Q", aggregate="max"),
            y=alt.Y(f"{y}:Q", aggregate={"argmax": x}),
            text=f"{series}:N",
            color=alt.Color(f"{series}:N", sort=None, legend=None),
        )
    ]


def values(base: alt.Chart, text: str = "label", *, dx: int = 5) -> alt.Chart:
    """The values of bars or points written beside them."""
    written: alt.Chart = base.mark_text(align="left", dx=dx, fontSize=11, color=palette.LABEL).encode(
        text=f"{text}:N"
    )
    return written


def at(x: Any, name: str = "here") -> alt.Chart:
    """A vertical line where the current input stands."""
    line: alt.Chart = alt.Chart(rows(name)).mark_rule(strokeDash=[4, 4], color=RED).encode(x=x)
    return line


def rows(name: str = "rows") -> alt.NamedData:
    """The chart's data by name: the frame comes with each run, the spec only once."""
    return alt.NamedData(name)


def spec(chart: Any, *, height: int | None = HEIGHT) -> Spec:
    """A Vega-Lite dict ready to be drawn many times."""
    built: Spec = (chart.properties(height=height) if height else chart).to_dict()
    built.pop("$schema", None)
    built.pop("datasets", None)
    tooltips.spell(built)
    built["config"] = _CONFIG
    built["padding"] = _AROUND
    _without_title(built.get("encoding", {}).get("color", {}))
    return built


def _without_title(colour: dict[str, Any]) -> None:
    """A legend without a title: of no title at all Streamlit makes a blank line."""
    for part in (colour, colour.get("legend") or {}):
        if "title" in part and part["title"] is None:
            part["title"] = ""


def _readable(part: Any) -> Any:
    """The spec with words that are legible on a dark page."""
    if isinstance(part, dict):
        return {key: _readable(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_readable(value) for value in part]
    return palette.ON_DARK.get(part, part) if isinstance(part, str) else part


def draw(built: Spec, alt: str, *, wide: bool = False, **frames: pd.DataFrame) -> None:
    """
    Draw a cached spec with this run's frames by name.

    Args:
        built: From ``spec``.
        alt: What the chart shows, with its finding, in words.
        wide: Whether it keeps its width on a phone and is scrolled sideways there, as a map of many columns is.
        frames: Rows by the names that the spec gives its data.
    """
    record.add_chart(alt, built, frames)
    empty = {name for name, frame in frames.items() if frame.empty}
    text = json.dumps(chart_layers.with_rows(built, empty))
    chart = json.loads(text)  # Streamlit changes what it draws; ten times as fast as deepcopy
    if st.context.theme.type == "dark":
        chart = _readable(chart)
    chart["datasets"] = {name: arrow.table_bytes(frame, text) for name, frame in frames.items()}
    if not wide:
        _drawn(chart, alt)
        return
    with st.container(key=f"wide_chart_{len(record.current().charts)}"):
        _drawn(chart, alt)


def _drawn(chart: Spec, alt: str) -> None:
    """
    The chart under its title, its finding beside it for those who do not see.

    To Streamlit a chart with other words is another chart: it would be built anew on every edit.
    """
    st.vega_lite_chart(chart, alt=alt.partition(": ")[0], width="stretch")
    st.html(f'<p class="chart-words">{escape(alt)}</p>')
