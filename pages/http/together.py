"""What a run draws reaches the browser in two parts, the answer and what follows it, not one element at a time."""

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

DELAY_S = 0.05
"""A browser draws the whole page for each arrival: a run of usual length is two, the answer and what follows it."""
ANSWER = "-headline"
_WAITING = "_wirespeed_waiting"


class AnswerPlace:
    """Where on the page a run draws its answer."""

    def __init__(self) -> None:
        self._path: tuple[int, ...] = ()

    def passed(self, message: ForwardMsg) -> bool:
        """Whether a message is the first behind the answer."""
        path = tuple(message.metadata.delta_path)
        if message.delta.add_block.id.endswith(ANSWER):
            self._path = path
        elif self._path and path[: len(self._path)] != self._path:
            self._path = ()
            return True
        return False


class Waiting:
    """
    Calls of a session that the event loop has yet to make, in their order.

    Each call handed over alone would wake the loop, which then takes the interpreter from the run that draws.
    """

    def __init__(self, wake: Callable[[bool], None]) -> None:
        """``wake`` gets ``run_due`` called on the event loop at once, or ``run`` within ``DELAY_S``."""
        self._wake = wake
        self._lock = Lock()
        self._calls: list[Callable[[], None]] = []
        self._due = 0
        self._place = AnswerPlace()

    def answered(self, message: ForwardMsg) -> bool:
        """Whether a message is the first behind the answer of a page, which then need not wait any longer."""
        return self._place.passed(message)

    def add(self, call: Callable[[], None], *, at_once: bool) -> None:
        """A call to be made together with those before it."""
        with self._lock:
            self._calls.append(call)
            first = len(self._calls) == 1
            if at_once:
                self._due = len(self._calls)
        if first or at_once:
            self._wake(at_once)

    def run_due(self) -> None:
        """Make the calls up to the last that does not wait; those since then, drawn while the loop woke, wait on."""
        with self._lock:
            due, self._due = self._calls[: self._due], 0
            del self._calls[: len(due)]
            rest = bool(self._calls)
        if rest:
            self._wake(False)
        self._make(due)

    def run(self) -> None:
        """Make all calls; one that fails leaves the others to be made."""
        with self._lock:
            calls, self._calls, self._due = self._calls, [], 0
        self._make(calls)

    def _make(self, calls: list[Callable[[], None]]) -> None:
        for place, call in enumerate(calls):
            try:
                call()
            except BaseException:
                self._again(calls[place + 1 :])
                raise

    def _again(self, calls: list[Callable[[], None]]) -> None:
        with self._lock:
            self._calls[:0] = calls
            self._due += len(calls)
        if calls:
            self._wake(True)


def on_event(session: AppSession, sender: Any, event: ScriptRunnerEvent, **values: Any) -> None:
    """In place of ``AppSession._on_scriptrunner_event``: an element waits for those after it, any other event does not."""
    handle = partial(session._handle_scriptrunner_event_on_event_loop, sender, event, **values)  # noqa: SLF001
    element = event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
    waiting = of_session(session)
    waiting.add(handle, at_once=not element or waiting.answered(values["forward_msg"]))


def of_session(session: AppSession) -> Waiting:
    """The calls that wait for a session's event loop."""
    waiting: Waiting | None = vars(session).get(_WAITING)
    if waiting is None:
        waiting = vars(session).setdefault(_WAITING, Waiting(partial(_wake, session)))
    return waiting


def _wake(session: AppSession, at_once: bool) -> None:
    waiting = of_session(session)

    def later() -> None:
        session._event_loop.call_later(DELAY_S, waiting.run)  # noqa: SLF001

    session._call_soon_on_event_loop(waiting.run_due if at_once else later)  # noqa: SLF001
