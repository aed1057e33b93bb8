"""Options shown by name while the address holds their ids: systems, models, networks, stored runs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui.shared import address

_WRITTEN = "_by_name_written"
"""What the address was last given for each input: anything else in it is a link or a step back."""
_CHOSEN, _PAGE = "_by_name_chosen", "_by_name_page"
"""The value of each input when it was last drawn, and the page of the last run."""
NONE_OF_THEM = [""]
"""What the address says where every option of a list with a default was taken out."""


def bind(
    widget: Callable[..., Any],
    label: str,
    key: str,
    choices: Sequence[str],
    names: Mapping[Any, str],
    default: str | list[str],
    **options: Any,
) -> tuple[Any, list[str]]:
    """
    The widget's value, and what the address asked for in vain; nothing where all of it is offered.

    Args:
        widget: ``st.selectbox`` or, with a list as default, ``st.multiselect``.
        label: Of the widget.
        key: Name in the address and the session.
        choices: Options as the address holds them.
        names: What is shown in their place.
        default: Ids without an address.
        options: Passed on to the widget.
    """
    written: dict[str, list[str]] = st.session_state.setdefault(_WRITTEN, {})
    requested = st.query_params.get_all(key)
    rejected: list[str] = []
    if address.decides() and not requested:
        st.session_state.pop(key, None)
    if requested and (key not in st.session_state or written.get(key) != requested):
        rejected = _take(key, requested, choices, default)
    elif key in st.session_state:
        _drop_gone(key, choices, default)
    if key not in st.session_state:
        st.session_state[key] = default
    options |= _initial(key, choices)
    value = widget(label, key=key, options=choices, format_func=lambda item: names.get(item, item), **options)
    spelled = _spelled(value, default)
    _write(key, spelled)
    written[key] = spelled
    st.session_state.setdefault(_CHOSEN, {})[key] = value
    return value, rejected


def restore() -> None:
    """On another page: give back what Streamlit forgets on the way, the widgets that the browser never drew."""
    context = get_script_run_ctx()
    page = context.page_script_hash if context is not None else ""
    before, st.session_state[_PAGE] = st.session_state.get(_PAGE, page), page
    if page == before or address.decides():
        return
    for key, value in st.session_state.get(_CHOSEN, {}).items():
        if key not in st.session_state and key not in st.query_params:
            st.session_state[key] = value


def _initial(key: str, choices: Sequence[str]) -> dict[str, Any]:
    """
    What a browser shows that has not drawn the widget yet, such as one in a closed popover.

    A value that was set in this very run reaches it anyhow; Streamlit warns of both.
    """
    context = get_script_run_ctx()
    if context is None or context.session_state.is_new_state_value(key):
        return {}
    held = st.session_state[key]
    return {"default": held} if isinstance(held, list) else {"index": choices.index(held)}


def _take(key: str, requested: list[str], choices: Sequence[str], default: str | list[str]) -> list[str]:
    """Give the widget what the address asks for and the list offers; the whole request where it does not."""
    many = isinstance(default, list)
    if many:
        requested = [part for item in requested for part in _parts(item, choices)]
    known = [item for item in requested if item in choices]
    if known or (many and requested == NONE_OF_THEM):
        st.session_state[key] = known if many else known[0]
        return requested if known and len(known) < len(requested) else []
    st.session_state.pop(key, None)
    return requested


def _parts(text: str, choices: Sequence[str]) -> list[str]:
    """An option, or several with commas as people type them."""
    return [text] if text in choices else [part.strip() for part in text.split(",")]


def _drop_gone(key: str, choices: Sequence[str], default: str | list[str]) -> None:
    """Forget what was chosen and is no option any more."""
    held = st.session_state[key]
    if isinstance(default, list):
        st.session_state[key] = [item for item in held if item in choices]
    elif held not in choices:
        del st.session_state[key]


def _spelled(value: Any, default: str | list[str]) -> list[str]:
    """A value as the address spells it; nothing for the default."""
    if value == default:
        return []
    if isinstance(default, list):
        return list(value) or NONE_OF_THEM
    return [value]


def _write(key: str, spelled: list[str]) -> None:
    """Bring the address up to date."""
    if spelled == st.query_params.get_all(key):
        return
    if spelled:
        st.query_params[key] = spelled
    else:
        st.query_params.pop(key, None)
