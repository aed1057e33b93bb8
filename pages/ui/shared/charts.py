"""Chart grammar shared by all pages: axes in SI units, specs built once, frames sent as Arrow."""

import re
from copy import deepcopy
from typing import Any, TypeAlias

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.shared import record

Channel: TypeAlias = type[alt.X] | type[alt.Y]
Spec: TypeAlias = dict[str, Any]

HEIGHT = 360
NARROW = 340
GREY = "#7d8ea1"
RED = "#d6336c"
RED_ON_DARK = "#ff7aa8"
"""7.3 to 1 against the dark page, where RED has 3.9."""
_TEXT_OF = re.compile(r"(?P<field>\w+) in (?P<unit>.+)")
"""A tooltip's field that stands for the text of another with its unit."""
_BINARY = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))


def _si(value: str, unit: str, digits: str = "") -> str:
    """A Vega expression: a value with SI prefix and unit, such as *466 GB/s* or *19.4 ms*."""
    number = f"format({value}, '{digits}~s')"
    return f"replace({number}, regexp('([a-zA-Zµ]?)$'), ' $1') + '{unit}'" if unit else number


def _binary(value: str) -> str:
    """A Vega expression: bytes of a message in B, KiB, MiB, GiB or TiB."""
    text = f"format({value}, '.3~g') + ' B'"
    for name, unit in reversed(_BINARY):
        text = f"{value} >= {unit} ? format({value} / {unit}, ',.3~r') + ' {name}' : {text}"
    return text


def log_axis(
    field: str,
    title: str,
    unit: str,
    *,
    axis: Channel = alt.X,
    domain: list[float] | None = None,
    ticks: int = 6,
) -> Any:
    """A logarithmic axis with SI prefixes and few ticks, so that its grid stays readable."""
    scale = alt.Scale(type="log", nice=False, domain=domain or alt.Undefined)
    label = _si("datum.value", unit)
    style = alt.Axis(tickCount=ticks, labelExpr=label, gridOpacity=0.35, labelOverlap="greedy")
    return axis(f"{field}:Q", title=title, scale=scale, axis=style)


def size_axis(field: str, title: str, *, axis: Channel = alt.X) -> Any:
    """Message sizes on a logarithmic axis, labelled in KiB, MiB and GiB."""
    values = [2**power for power in range(2, 52, 4)]
    style = alt.Axis(values=values, labelExpr=_binary("datum.value"), gridOpacity=0.35, labelOverlap="greedy")
    scale = alt.Scale(type="log", base=2, nice=False)
    return axis(f"{field}:Q", title=title, scale=scale, axis=style)


def linear_axis(
    field: str, title: str, unit: str = "", *, axis: Channel = alt.Y, ticks: int = 6, zero: bool = True
) -> Any:
    """A linear axis with SI prefixes."""
    style = alt.Axis(tickCount=ticks, labelExpr=_si("datum.value", unit), gridOpacity=0.35)
    return axis(f"{field}:Q", title=title, scale=alt.Scale(zero=zero, nice=True), axis=style)


def share_axis(
    field: str, title: str, *, axis: Channel = alt.Y, stack: Any = None, top: float | None = 1
) -> Any:
    """A share of one in percent; ``top`` None ends the axis where the data do."""
    style = alt.Axis(format="~%", tickCount=5, gridOpacity=0.35)
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
) -> alt.Legend:
    """
    At the top, so that it never squeezes the plot; on a phone in ``narrow`` columns, so that none is cut off.

    Two legends at one side stand next to each other: of two, one belongs at the bottom.
    """
    return alt.Legend(
        orient=orient,
        title=title,
        columns=alt.ExprRef(f"width < {NARROW} ? {narrow} : {columns or 0}"),
        labelLimit=280,
        symbolOpacity=1,
        symbolStrokeWidth=3 if colour is None else 1,
        symbolFillColor=colour or alt.Undefined,
        symbolStrokeColor=colour or alt.Undefined,
    )


def tip(field: str, title: str, unit: str = "", kind: str = "Q") -> alt.Tooltip:
    """A tooltip line: a value with its unit (``s``, ``bytes``, ``bytes/s``) to three significant digits."""
    if unit:
        return alt.Tooltip(f"{field} in {unit}", type="nominal", title=title)
    return alt.Tooltip(f"{field}:{kind}", title=title, format=".4~s")


def rows(name: str = "rows") -> alt.NamedData:
    """The chart's data by name: the frame comes with each run, the spec only once."""
    return alt.NamedData(name)


def spec(chart: Any, *, height: int | None = HEIGHT) -> Spec:
    """A Vega-Lite dict ready to be drawn many times."""
    built: Spec = (chart.properties(height=height) if height else chart).to_dict()
    built.pop("$schema", None)
    built.pop("datasets", None)
    _spell_tooltips(built)
    return built


def _spell_tooltips(part: Any) -> None:
    """Compute the text of every tooltip line that names a unit: Vega's own formats leave units out."""
    if isinstance(part, list):
        for value in part:
            _spell_tooltips(value)
    if not isinstance(part, dict):
        return
    lines = part.get("encoding", {}).get("tooltip", [])
    fields = [line["field"] for line in lines if isinstance(line, dict)] if isinstance(lines, list) else []
    texts = [
        {"calculate": _text_of(match["field"], match["unit"]), "as": field}
        for field in fields
        if (match := _TEXT_OF.fullmatch(field))
    ]
    if texts:
        part["transform"] = [*part.get("transform", []), *texts]
    for value in part.values():
        _spell_tooltips(value)


def _text_of(field: str, unit: str) -> str:
    """A Vega expression: a field with its unit, empty where it is missing."""
    value = f"datum['{field}']"
    if field.endswith("size_bytes"):
        text = _binary(value)
    else:
        text = _si(value, unit.replace("bytes", "B"), digits=".3")
    return f"isValid({value}) ? {text} : ''"


def _readable(part: Any) -> Any:
    """The spec with the red that is legible on a dark page."""
    if isinstance(part, dict):
        return {key: _readable(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_readable(value) for value in part]
    return RED_ON_DARK if isinstance(part, str) and part == RED else part


def draw(built: Spec, alt: str, **frames: pd.DataFrame) -> None:
    """Draw a cached spec with this run's frames by name; ``alt`` says in words what the chart shows."""
    record.add_chart(alt, built, frames)
    chart = _readable(deepcopy(built)) if st.context.theme.type == "dark" else deepcopy(built)
    chart["datasets"] = frames
    st.vega_lite_chart(chart, alt=alt, width="stretch")
