"""Values of inputs before their widgets stand: what the label of a popover says of its content."""

from typing import TypeVar

import streamlit as st

from pages.ui.shared import address

Value = TypeVar("Value", int, float)


def text(key: str, default: str) -> str:
    """The text that the widget of this key will hold."""
    return str(_raw(key) or default)


def number(key: str, default: Value) -> Value:
    """The number that the widget of this key will hold; the default where it is empty or no number."""
    raw = _raw(key)
    try:
        return default if raw in (None, "") else type(default)(str(raw))
    except (TypeError, ValueError, OverflowError):
        return default


def _raw(key: str) -> object:
    if key in st.session_state and not address.decides():
        return st.session_state[key]
    return st.query_params.get(key)
