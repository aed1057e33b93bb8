"""A recorded chart as SVG or PNG on a light ground, made for a page or to stand alone."""

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pandas as pd
from streamlit import config

from pages.ui.shared.document import drawer
from pages.ui.shared.record import DrawnChart

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first is built into vl-convert: a machine without fonts draws the same picture."""
INK, MUTED, RULE = "#1b2430", "#4a5766", "#dfe5ec"
HALF_WIDTH, FULL_WIDTH, PICTURE_WIDTH = 345, 720, 900
HEIGHT = 235
TALL = 400
"""Charts above this height are maps of many cells: they take the full width at their own height."""
_ID = re.compile(r'(\bid="|url\(#|href="#)')


def wide(chart: DrawnChart) -> bool:
    """Whether a chart needs the full width of a page."""
    height = chart.spec.get("height")
    return not isinstance(height, (int, float)) or height > TALL


def svg(chart: DrawnChart) -> str:
    """The picture alone, at the width of an exported one and the chart's own height."""
    return drawer.svgs([_filled(chart, PICTURE_WIDTH, None)])[0]


def page_svgs(drawn: Sequence[DrawnChart], full: Sequence[bool]) -> list[str]:
    """The pictures for a page of a document, the ids in each its own."""
    specs = [
        _filled(chart, FULL_WIDTH if whole else HALF_WIDTH, None if wide(chart) else HEIGHT)
        for chart, whole in zip(drawn, full, strict=True)
    ]
    return [_ID.sub(rf"\1c{number}-", picture) for number, picture in enumerate(drawer.svgs(specs))]


def _filled(chart: DrawnChart, width: int, height: int | None) -> dict[str, Any]:
    """The spec with its data inside, at this size, in the colours of the light theme."""
    spec = deepcopy(dict(chart.spec))
    spec.pop("padding", None)  # of the page
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
    legend = {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "labelLimit": 300,
    }
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
