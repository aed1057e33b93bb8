"""Chart grammar shared by all pages: axes in SI units, specs built once, frames sent as Arrow."""

from copy import deepcopy
from typing import Any, TypeAlias

import altair as alt
import pandas as pd
import streamlit as st

Channel: TypeAlias = type[alt.X] | type[alt.Y]
Spec: TypeAlias = dict[str, Any]

HEIGHT = 360
NARROW = 340
GREY = "#7d8ea1"
RED = "#d6336c"
RED_ON_DARK = "#ff7aa8"
"""7.3 to 1 against the dark page, where RED has 3.9."""
_SI = "format(datum.value, '~s')"


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
    style = alt.Axis(tickCount=ticks, labelExpr=f"{_SI} + '{unit}'", gridOpacity=0.35, labelOverlap="greedy")
    return axis(f"{field}:Q", title=title, scale=scale, axis=style)


def linear_axis(
    field: str, title: str, unit: str = "", *, axis: Channel = alt.Y, ticks: int = 6, zero: bool = True
) -> Any:
    """A linear axis with SI prefixes."""
    style = alt.Axis(tickCount=ticks, labelExpr=f"{_SI} + '{unit}'", gridOpacity=0.35)
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
    """A tooltip line; numbers to four digits with an SI prefix."""
    return alt.Tooltip(f"{field}:{kind}", title=f"{title} ({unit})" if unit else title, format=".4~s")


def rows(name: str = "rows") -> alt.NamedData:
    """The chart's data by name: the frame comes with each run, the spec only once."""
    return alt.NamedData(name)


def spec(chart: Any, *, height: int | None = HEIGHT) -> Spec:
    """A Vega-Lite dict ready to be drawn many times."""
    built: Spec = (chart.properties(height=height) if height else chart).to_dict()
    built.pop("$schema", None)
    built.pop("datasets", None)
    return built


def _readable(part: Any) -> Any:
    """The spec with the red that is legible on a dark page."""
    if isinstance(part, dict):
        return {key: _readable(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_readable(value) for value in part]
    return RED_ON_DARK if isinstance(part, str) and part == RED else part


def draw(built: Spec, alt: str, **frames: pd.DataFrame) -> None:
    """Draw a cached spec with this run's frames by name; ``alt`` says in words what the chart shows."""
    chart = _readable(deepcopy(built)) if st.context.theme.type == "dark" else deepcopy(built)
    chart["datasets"] = frames
    st.vega_lite_chart(chart, alt=alt, width="stretch")
