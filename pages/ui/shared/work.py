"""Long work in parts: a bar says what is done and how far, and a button stops it and keeps what there is."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Generic, TypeVar, cast

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from core.units import whole_percent

Part = TypeVar("Part")
Answer = TypeVar("Answer")
AFTER_S = 0.7
"""Seconds from which on a search shows how far it is."""
MOST_REMEMBERED = 128
_STOPPED, _RUNNING = "_work_stopped", "_work_running"
MOST_ANSWERS = 8
"""Of single tasks: a job may take a hundred megabytes."""
_finished: OrderedDict[Hashable, tuple[Any, ...]] = OrderedDict()
_answers: OrderedDict[Hashable, Any] = OrderedDict()


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

    An edit of an input ends the search before its next part; *Stop* does too and keeps the parts so far. A
    search that was ended or stopped goes on behind them.

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


def follow(what: str, question: Hashable, task: Callable[[Callable[[float], None]], Answer]) -> Answer | None:
    """
    The answer of a task that tells how far it is, remembered for every reader; None where it was stopped.

    An edit of an input ends the task, as *Stop* does: whatever the task's teller raises goes through it.

    Args:
        what: In a few words, as *Reading the traces*; unique on the page.
        question: All that the answer depends on.
        task: Does it; calls its argument now and then with the share that is done, 0 to 1.
    """
    key = (what, question)
    if (done := _answers.get(key)) is not None:
        return cast("Answer", done)
    stopped: _Interrupted | None = st.session_state.get(_STOPPED)
    if stopped is not None and stopped.question == key:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Stopped: {what}.", width="content")
            st.button("Start again", key=f"continue {what}", icon=":material/replay:", on_click=_resume)
        return None
    place = st.empty()
    st.session_state[_RUNNING] = _Interrupted(key, ())
    try:
        answer = task(_Teller(place, what))
    except Exception:
        _clear(place)
        raise
    _clear(place)
    _answers[key] = answer
    if len(_answers) > MOST_ANSWERS:
        _answers.popitem(last=False)
    return answer


def _clear(place: Any) -> None:
    place.empty()
    st.session_state.pop(_RUNNING, None)


class _Teller:
    """Shows how far a task is, once it takes long enough to be looked at."""

    def __init__(self, place: Any, what: str) -> None:
        self._place, self._what = place, what
        self._begun_s = monotonic()
        self._bar: Any = None

    def __call__(self, share: float) -> None:
        """So much is done."""
        _give_way()
        if self._bar is None and monotonic() - self._begun_s > AFTER_S:
            self._bar = _bar(self._place, self._what)
        if self._bar is not None:
            self._bar.progress(min(max(share, 0.0), 1.0), f"{self._what}: {whole_percent(min(share, 1.0))}")


def _remembered(key: Hashable) -> tuple[Any, ...] | None:
    """The parts of a search that was finished; another session may drop it at any moment."""
    try:
        _finished.move_to_end(key)
        return _finished[key]
    except KeyError:
        return None


def _run(what: str, key: Hashable, parts: Sequence[Callable[[], Part]]) -> Parts[Part]:
    place, bar, begun_s = st.empty(), None, monotonic()
    begun: _Interrupted | None = st.session_state.get(_RUNNING)
    done: list[Part] = list(begun.done) if begun is not None and begun.question == key else []
    for part in parts[len(done) :]:
        st.session_state[_RUNNING] = _Interrupted(key, tuple(done))
        _give_way()
        if bar is None and done and monotonic() - begun_s > AFTER_S:
            bar = _bar(place, what)
        if bar is not None:
            bar.progress(len(done) / len(parts), _text(what, len(done), len(parts)))
        done.append(part())
    place.empty()
    st.session_state.pop(_RUNNING, None)
    _finished[key] = tuple(done)
    if len(_finished) > MOST_REMEMBERED:
        _finished.popitem(last=False)
    return Parts(tuple(done), len(parts))


def _give_way() -> None:
    """
    End this run where a next one is asked for.

    Streamlit ends a run at once only for what stands outside a fragment, and what is below the bar is one.
    """
    context = get_script_run_ctx()
    requests = context.script_requests if context is not None else None
    if requests is None or requests._state is not ScriptRequestType.RERUN:  # noqa: SLF001
        return
    request = requests.on_scriptrunner_ready()
    if request.type is ScriptRequestType.RERUN:
        raise RerunException(request.rerun_data)
    st.stop()


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
    """The search goes on behind the parts that it has; a task in one piece begins again."""
    st.session_state[_RUNNING] = st.session_state.pop(_STOPPED, None)


def _offer_to_continue(what: str, done: int, total: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Stopped: {_text(what, done, total)}.", width="content")
        st.button("Continue", key=f"continue {what}", icon=":material/play_arrow:", on_click=_resume)
