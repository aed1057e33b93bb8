"""What Streamlit computes anew in every run of a page although it stays the same: computed once."""

import gc
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.web.server.starlette.starlette_websocket import StarletteSessionClient

from pages.http import frames, turns

GC_THRESHOLDS = (10_000, 20, 20)
"""Objects until a collection of the youngest, and collections of each generation until one of the next."""
Populate = Callable[..., None]


class VisibleState(Mapping[str, Any]):
    """
    A session's state by the keys of its widgets, looked up one by one.

    Streamlit builds a dictionary of all keys for every number field, text field and selectbox, to see one of them.
    """

    def __init__(self, state: SafeSessionState) -> None:
        self._safe = state

    def __getitem__(self, key: str) -> Any:
        """The value of a key; KeyError where the session has none."""
        if is_element_id(key) or key.startswith("$$STREAMLIT_INTERNAL_KEY"):
            raise KeyError(key)
        with self._safe._lock:  # noqa: SLF001 - as Streamlit's own property does
            return self._safe._state[key]  # noqa: SLF001

    def __iter__(self) -> Iterator[str]:
        """Every key."""
        return iter(self._all())

    def __len__(self) -> int:
        """Number of keys."""
        return len(self._all())

    def _all(self) -> dict[str, Any]:
        with self._safe._lock:  # noqa: SLF001
            return self._safe._state.filtered_state  # noqa: SLF001


def remembered(populate: Populate) -> Populate:
    """Fill in a theme from the configuration, which is read once for each section."""
    themes: dict[str, CustomThemeConfig] = {}

    def theme(message: CustomThemeConfig, section: str = "theme") -> None:
        if section not in themes:
            fresh = CustomThemeConfig()
            populate(fresh, section)
            themes[section] = fresh
        message.MergeFrom(themes[section])

    return theme


def lower() -> None:
    """From now on runs of this process cost less; once is enough."""
    gc.set_threshold(*GC_THRESHOLDS)
    if isinstance(vars(SafeSessionState)["filtered_state"], property):
        app_session._populate_theme_msg = remembered(app_session._populate_theme_msg)  # noqa: SLF001
        SafeSessionState.filtered_state = _Visible()  # type: ignore[method-assign, assignment]
    SafeSessionState.__getitem__ = read  # type: ignore[method-assign]
    SafeSessionState.__contains__ = holds  # type: ignore[method-assign]
    StarletteSessionClient.write_forward_msg = frames.write  # type: ignore[method-assign, assignment]
    AppSession._on_scriptrunner_event = turns.on_event  # type: ignore[method-assign, assignment]  # noqa: SLF001


def read(state: SafeSessionState, key: str) -> Any:
    """A value of the state; Streamlit also asks at each look-up whether the run is to end, as at each drawing."""
    with state._lock:  # noqa: SLF001
        return state._state[key]  # noqa: SLF001


def holds(state: SafeSessionState, key: str) -> bool:
    """Whether the state has a key."""
    with state._lock:  # noqa: SLF001
        return key in state._state  # noqa: SLF001


class _Visible:
    """The property ``filtered_state`` of a session's state."""

    def __get__(self, state: SafeSessionState, _owner: type) -> VisibleState:
        return VisibleState(state)
