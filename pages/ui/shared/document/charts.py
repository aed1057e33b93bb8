"""A recorded chart as SVG or PNG on a light ground, drawn without a browser."""

import json
import re
from copy import deepcopy
from typing import Any

import pandas as pd
import vl_convert
from streamlit import config

from pages.ui.shared.record import DrawnChart

VEGA_LITE = "6.4"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first is built into vl-convert: a machine without fonts draws the same picture."""
INK, MUTED, RULE = "#1b2430", "#4a5766", "#dfe5ec"
HALF_WIDTH, FULL_WIDTH, PICTURE_WIDTH = 345, 720, 900
HEIGHT = 235
TALL = 430
"""Charts above this height are maps of many cells: they take the full width at their own height."""
_ID = re.compile(r'(\bid="|url\(#|href="#)')


def wide(chart: DrawnChart) -> bool:
    """Whether a chart needs the full width of a page."""
    height = chart.spec.get("height")
    return not isinstance(height, (int, float)) or height > TALL


def svg(chart: DrawnChart, *, width: int = PICTURE_WIDTH, height: int | None = None) -> str:
    """
    The picture alone.

    Args:
        chart: As the page drew it.
        width: Of the plot in pixels, its axes not counted.
        height: Likewise; None leaves the chart's own.
    """
    picture: str = vl_convert.vegalite_to_svg(
        _filled(chart, width, height), vl_version=VEGA_LITE, allowed_base_urls=[]
    )
    return picture


def page_svg(chart: DrawnChart, number: int, *, full: bool) -> str:
    """The picture for a page of a document; ``number`` keeps its ids apart from those of other charts."""
    if full:
        picture = svg(chart, width=FULL_WIDTH, height=None if wide(chart) else HEIGHT)
    else:
        picture = svg(chart, width=HALF_WIDTH, height=HEIGHT)
    return _ID.sub(rf"\1c{number}-", picture)


def png(picture: str, scale: float = 2.0) -> bytes:
    """An SVG as PNG."""
    data: bytes = vl_convert.svg_to_png(picture, scale=scale)
    return data


def _filled(chart: DrawnChart, width: int, height: int | None) -> dict[str, Any]:
    """The spec with its data inside, at this size, in the colours of the light theme."""
    spec = deepcopy(dict(chart.spec))
    spec["datasets"] = {name: _rows(frame) for name, frame in chart.frames.items()}
    if not {"facet", "hconcat", "vconcat", "concat", "repeat"} & spec.keys():
        spec["width"] = width
        spec["height"] = height or spec.get("height", HEIGHT)
    spec["config"] = _merged(spec.get("config", {}), _style())
    spec["background"] = "#ffffff"
    return spec


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Both settings; where they disagree, those ``above``."""
    merged = {**below, **above}
    for name in below.keys() & above.keys():
        if isinstance(below[name], dict) and isinstance(above[name], dict):
            merged[name] = _merged(below[name], above[name])
    return merged


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A frame as JSON rows: what is missing or infinite is null, times are ISO texts."""
    text = frame.to_json(orient="records", double_precision=15, date_format="iso")
    rows: list[dict[str, Any]] = json.loads(text or "[]")
    return rows


def _style() -> dict[str, Any]:
    axis = {
        "labelColor": MUTED,
        "titleColor": INK,
        "titleFontWeight": 600,
        "titlePadding": 8,
        "gridColor": RULE,
        "domainColor": RULE,
        "tickColor": RULE,
        "labelFontSize": 11,
        "titleFontSize": 11.5,
        "labelLimit": 220,
    }
    legend = {"labelColor": INK, "titleColor": INK, "labelFontSize": 11, "titleFontSize": 11, "labelLimit": 300}
    style: dict[str, Any] = {
        "font": FONT,
        "aria": False,
        "view": {"stroke": None},
        "axis": axis,
        "legend": legend,
        "text": {"color": INK},
        "range": {},
    }
    for name, option in (("category", "Categorical"), ("ramp", "Sequential"), ("heatmap", "Sequential")):
        if colours := config.get_option(f"theme.light.chart{option}Colors"):
            style["range"][name] = list(colours)
    return style
