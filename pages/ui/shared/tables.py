"""Tables as every page shows them."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.units import significant
from pages.ui.shared import record


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
    st.dataframe(frame, hide_index=True, column_config=columns, placeholder="–", alt=alt, **options)


def terms(pairs: Iterable[tuple[str, ...]]) -> pd.DataFrame:
    """Named terms of an answer and their values as a two-column table."""
    return pd.DataFrame(pairs, columns=["term", "value"])


def cell(value: float | None, unit: float = 1.0) -> float | None:
    """A number in a unit to three significant digits; what is missing stays so."""
    return None if value is None else significant(value / unit)
