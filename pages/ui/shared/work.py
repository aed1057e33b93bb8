"""Long work in parts: a bar says what is done and how far, and a button stops it and keeps what there is."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Generic, TypeVar, cast

import streamlit as st

Part = TypeVar("Part")
AFTER_S = 0.7
"""Seconds from which on a search shows how far it is."""
MOST_REMEMBERED = 128
_STOPPED, _RUNNING = "_work_stopped", "_work_running"
_finished: OrderedDict[Hashable, tuple[Any, ...]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Parts(Generic[Part]):
    """What was computed, in order, of how many parts."""

    done: tuple[Part, ...]
    total: int

    @property
    def complete(self) -> bool:
        """Whether nothing was stopped."""
        return len(self.done) == self.total


@dataclass(frozen=True, slots=True)
class _Interrupted:
    """A search that was stopped, and its parts until then."""

    question: Hashable
    done: tuple[Any, ...]


def collect(what: str, question: Hashable, tasks: Callable[[], Sequence[Callable[[], Part]]]) -> Parts[Part]:
    """
    The parts of a search, remembered for every reader by ``what`` and its question.

    An edit of an input ends the search, as any rerun does; *Stop* ends it and keeps the parts so far.

    Args:
        what: In a few words, as *Crossovers*; unique on the page.
        question: All that the parts depend on.
        tasks: Makes the parts' functions; called only where the answer is not remembered.
    """
    key = (what, question)
    done = _remembered(key)
    if done is not None:
        return Parts(cast("tuple[Part, ...]", done), len(done))
    parts = tasks()
    stopped: _Interrupted | None = st.session_state.get(_STOPPED)
    if stopped is not None and stopped.question == key:
        _offer_to_continue(what, len(stopped.done), len(parts))
        return Parts(stopped.done, len(parts))
    return _run(what, key, parts)


def _remembered(key: Hashable) -> tuple[Any, ...] | None:
    """The parts of a search that was finished; another session may drop it at any moment."""
    try:
        _finished.move_to_end(key)
        return _finished[key]
    except KeyError:
        return None


def _run(what: str, key: Hashable, parts: Sequence[Callable[[], Part]]) -> Parts[Part]:
    place, bar, begun_s = st.empty(), None, monotonic()
    done: list[Part] = []
    for part in parts:
        if bar is None and done and monotonic() - begun_s > AFTER_S:
            bar = _bar(place, what)
        if bar is not None:
            bar.progress(len(done) / len(parts), _text(what, len(done), len(parts)))
        st.session_state[_RUNNING] = _Interrupted(key, tuple(done))
        done.append(part())
    place.empty()
    st.session_state.pop(_RUNNING, None)
    _finished[key] = tuple(done)
    if len(_finished) > MOST_REMEMBERED:
        _finished.popitem(last=False)
    return Parts(tuple(done), len(parts))


def _bar(place: Any, what: str) -> Any:
    """The bar with the button beside it."""
    with place.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0)
        st.button("Stop", key=f"stop {what}", icon=":material/stop_circle:", on_click=_stop)
    return bar


def _text(what: str, done: int, total: int) -> str:
    return f"{what}: {done} of {total}"


def _stop() -> None:
    """Runs before the page runs again: what was computed until the click is kept."""
    st.session_state[_STOPPED] = st.session_state.get(_RUNNING)


def _resume() -> None:
    st.session_state.pop(_STOPPED, None)


def _offer_to_continue(what: str, done: int, total: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Stopped: {_text(what, done, total)}.", width="content")
        st.button("Continue", key=f"continue {what}", icon=":material/play_arrow:", on_click=_resume)
