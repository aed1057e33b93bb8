"""What a run draws reaches the event loop a few milliseconds' worth at a time, not one element at a time."""

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

DELAY_S = 0.005
"""As long as Streamlit itself waits between two transmissions to a browser."""
_WAITING = "_wirespeed_waiting"


class Waiting:
    """
    Calls of a session that the event loop has yet to make, in their order.

    Each call handed over alone would wake the loop, which then takes the interpreter from the run that draws.
    """

    def __init__(self, wake: Callable[[bool], None]) -> None:
        """``wake`` gets ``run`` called on the event loop: at once, or within ``DELAY_S``."""
        self._wake = wake
        self._lock = Lock()
        self._calls: list[Callable[[], None]] = []

    def add(self, call: Callable[[], None], *, at_once: bool) -> None:
        """A call to be made together with those before it."""
        with self._lock:
            self._calls.append(call)
            first = len(self._calls) == 1
        if first or at_once:
            self._wake(at_once)

    def run(self) -> None:
        """Make the calls; one that fails leaves the others to be made."""
        with self._lock:
            calls, self._calls = self._calls, []
        for place, call in enumerate(calls):
            try:
                call()
            except BaseException:
                self._again(calls[place + 1 :])
                raise

    def _again(self, calls: list[Callable[[], None]]) -> None:
        with self._lock:
            self._calls[:0] = calls
        if calls:
            self._wake(True)


def on_event(session: AppSession, sender: Any, event: ScriptRunnerEvent, **values: Any) -> None:
    """In place of ``AppSession._on_scriptrunner_event``: an element waits for those after it, any other event does not."""
    handle = partial(session._handle_scriptrunner_event_on_event_loop, sender, event, **values)  # noqa: SLF001
    of_session(session).add(handle, at_once=event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)


def of_session(session: AppSession) -> Waiting:
    """The calls that wait for a session's event loop."""
    waiting: Waiting | None = vars(session).get(_WAITING)
    if waiting is None:
        waiting = vars(session).setdefault(_WAITING, Waiting(partial(_wake, session)))
    return waiting


def _wake(session: AppSession, at_once: bool) -> None:
    run = of_session(session).run

    def later() -> None:
        session._event_loop.call_later(DELAY_S, run)  # noqa: SLF001

    session._call_soon_on_event_loop(run if at_once else later)  # noqa: SLF001
