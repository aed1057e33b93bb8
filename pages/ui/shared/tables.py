"""Tables as every page shows them."""

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

import pandas as pd
import streamlit as st

from core.units import significant
from pages.ui.shared import record

LETTER, PADDING, WIDEST = 6.6, 24, 1200
"""Pixels of a letter of a table, of what is around a cell's text, and of the widest column."""


def show(frame: pd.DataFrame, alt: str, columns: Mapping[str, Any] | None = None, **options: Any) -> None:
    """
    A frame without index; what is missing is a dash.

    Args:
        frame: The rows.
        alt: What the table shows, for screen readers.
        columns: Streamlit's configuration by column.
        options: Passed on to ``st.dataframe``.
    """
    record.add_table(alt, frame, columns)
    draw(frame, alt, columns, **options)


def draw(frame: pd.DataFrame, alt: str, columns: Mapping[str, Any] | None = None, **options: Any) -> None:
    """As ``show``, of a table that the page's record holds already."""
    options = {"placeholder": "–"} | options
    st.dataframe(frame, hide_index=True, column_config=columns, alt=alt, **options)


def moments(*columns: str) -> dict[str, Any]:
    """Streamlit's configuration of columns that hold moments, to the minute."""
    return {name: st.column_config.DatetimeColumn(name, format="D MMM YYYY, HH:mm") for name in columns}


def widths(frame: pd.DataFrame, *columns: str) -> dict[str, Any]:
    """Streamlit's configuration of columns that are as wide as their longest text, up to a screen."""
    return {
        name: st.column_config.TextColumn(
            width=min(WIDEST, PADDING + ceil(LETTER * max(map(len, [name, *frame[name].astype(str)]))))
        )
        for name in columns
    }


def terms(pairs: Iterable[tuple[str, ...]]) -> pd.DataFrame:
    """Named terms of an answer and their values as a two-column table."""
    return pd.DataFrame(pairs, columns=["term", "value"])


def cell(value: float | None, unit: float = 1.0) -> float | None:
    """A number in a unit to three significant digits; what is missing stays so."""
    return None if value is None else significant(value / unit)
