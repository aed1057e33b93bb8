"""Options shown by name while the address holds their ids, such as stored runs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.ui.shared import address

_WRITTEN = "_by_name_written"
"""What the address was last given for each input: anything else in it is a link or a step back."""


def bind(
    widget: Callable[..., Any],
    label: str,
    key: str,
    choices: Sequence[str],
    names: Mapping[Any, str],
    **options: Any,
) -> tuple[Any, list[str]]:
    """
    The widget's value, and what the address asked for in vain; nothing where all of it is offered.

    Args:
        widget: ``st.selectbox`` (its first option is the default) or ``st.multiselect`` (none is).
        label: Of the widget.
        key: Name in the address and the session.
        choices: Options as the address holds them.
        names: What is shown in their place.
        options: Passed on to the widget.
    """
    many = widget is st.multiselect
    written: dict[str, list[str]] = st.session_state.setdefault(_WRITTEN, {})
    requested = st.query_params.get_all(key)
    rejected: list[str] = []
    if address.decides() and not requested:
        st.session_state.pop(key, None)
    if requested and (key not in st.session_state or written.get(key) != requested):
        known = [item for item in requested if item in choices]
        if known:
            st.session_state[key] = known if many else known[0]
        rejected = requested if len(known) < len(requested) else []
    elif key in st.session_state:
        _drop_gone(key, choices, many=many)
    value = widget(label, key=key, options=choices, format_func=lambda item: names.get(item, item), **options)
    spelled = list(value) if many else [value] if value != choices[0] else []
    _write(key, spelled)
    written[key] = spelled
    return value, rejected


def _drop_gone(key: str, choices: Sequence[str], *, many: bool) -> None:
    """Forget what was chosen and is no option any more."""
    held = st.session_state[key]
    if many:
        st.session_state[key] = [item for item in held if item in choices]
    elif held not in choices:
        del st.session_state[key]


def _write(key: str, spelled: list[str]) -> None:
    """Bring the address up to date."""
    if spelled == st.query_params.get_all(key):
        return
    if spelled:
        st.query_params[key] = spelled
    else:
        st.query_params.pop(key, None)
