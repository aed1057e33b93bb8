"""A recorded table as text: numbers in the page's format, what is missing as a dash."""

import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import pandas as pd

from core.units import significant
from pages.ui.shared.record import DrawnTable

MISSING = "–"
_FORMAT = re.compile(r"(?P<before>[^%]*)(?P<format>%[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z])(?P<after>[^%]*)")


def readable(table: DrawnTable) -> DrawnTable:
    """The table without its columns of links to other pages, which say nothing on paper."""
    names = [
        name
        for name in table.frame.columns
        if _config(table, name).get("type_config", {}).get("type") != "link"
    ]
    return DrawnTable(table.alt, table.frame[names], table.columns)


def header(table: DrawnTable) -> list[str]:
    """The columns' names as the page shows them."""
    return [str(_config(table, name).get("label") or name) for name in table.frame.columns]


def rows(table: DrawnTable, most: int) -> list[list[str]]:
    """The first rows as text."""
    formats = [_config(table, name).get("type_config", {}).get("format") for name in table.frame.columns]
    head = table.frame.head(most)
    return [
        [cell(value, kind) for value, kind in zip(row, formats, strict=True)]
        for row in head.itertuples(index=False, name=None)
    ]


def numeric(table: DrawnTable) -> list[bool]:
    """Whether a column is one of numbers, to be set flush right."""
    return [
        pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
        for kind in table.frame.dtypes
    ]


def _config(table: DrawnTable, name: Any) -> Mapping[str, Any]:
    config = table.columns.get(name)
    if isinstance(config, str):
        return {"label": config}
    return config if isinstance(config, Mapping) else {}


def cell(value: Any, kind: Any = None) -> str:
    """One value as text; ``kind`` is a format of Streamlit's, such as ``%.1f``."""
    if isinstance(value, (list, tuple, set)):
        return ", ".join(cell(part) for part in value) or MISSING
    if value is None or value is pd.NaT or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return MISSING
    if isinstance(value, (datetime, date)):
        return f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else f"{value:%Y-%m-%d}"
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return _number(value, kind)
    return str(value) or MISSING


def _number(value: float, kind: Any) -> str:
    match = _FORMAT.fullmatch(kind) if isinstance(kind, str) else None
    if match:
        return f"{match['before']}{match['format'] % value}{match['after']}"
    if kind == "percent":
        return f"{100 * value:.3g} %"
    if isinstance(value, int):
        return str(value) if 1900 <= value <= 2100 else f"{value:,}"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{significant(value, 4):,.10g}"
