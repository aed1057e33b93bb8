"""
A new identity for widgets that were set otherwise than by the reader's hand.

A browser keeps what was last typed into a widget of a closed popover and sends it with the next run, even
where Undo, Reset or Back have given the widget another value meanwhile. Under a new identity the widget is
another one to the browser, and begins with the value that it is given.
"""

from collections.abc import Iterable
from typing import Any

import streamlit as st
from streamlit.elements.lib import utils

_GENERATIONS = "_widget_generations"
_compute = utils._compute_element_id  # noqa: SLF001 - no public call gives a keyed widget another identity


def renew(keys: Iterable[str]) -> None:
    """Give the widgets of these keys another identity from the next time they are drawn."""
    generations: dict[str, int] = dict(st.session_state.get(_GENERATIONS, {}))
    for key in keys:
        generations[key] = generations.get(key, 0) + 1
    st.session_state[_GENERATIONS] = generations


def _with_generation(element_type: str, user_key: str | None = None, **kwargs: Any) -> str:
    generation = st.session_state.get(_GENERATIONS, {}).get(user_key, 0) if user_key else 0
    if generation:
        kwargs["generation"] = generation
    return _compute(element_type, user_key, **kwargs)


def install() -> None:
    """Let Streamlit count a widget's generation as part of its identity."""
    utils._compute_element_id = _with_generation  # noqa: SLF001 - as above
