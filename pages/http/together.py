"""What a run draws reaches the browser in three parts, answer, charts and the rest, not one element at a time."""

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

DELAY_S = 0.05
"""A browser draws the whole page for each arrival: a run of usual length is three, one for each part."""
ANSWER = "-headline"
END = "-page_end"
"""Of the row at the end of a page."""
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


class Parts:
    """
    Where the parts of a run end: the answer, then its charts.

    Charts wait neither for the numbers and sources below them, which are folded away, nor for the end of the page.
    """

    def __init__(self) -> None:
        self._answer = AnswerPlace()
        self._begun = self._charted = False

    def ended(self, message: ForwardMsg) -> bool:
        """Whether a message is the first behind a part."""
        if self._answer.passed(message):
            self._begun = True
            return True
        block = message.delta.add_block
        if self._charted or not self._begun or not (block.HasField("expandable") or block.id.endswith(END)):
            return False
        self._charted = True
        return True


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
        self._visits = 0
        self._parts = Parts()

    @property
    def visits(self) -> int:
        """How often calls have been made: who comes late for those of another visit leaves the newer ones to wait."""
        return self._visits

    def begin(self) -> None:
        """A run begins: its parts are still to come."""
        self._parts = Parts()

    def part_ended(self, message: ForwardMsg) -> bool:
        """Whether a message is the first behind a part of the page, which then need not wait any longer."""
        return self._parts.ended(message)

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
            self._visits += 1
            del self._calls[: len(due)]
            rest = bool(self._calls)
        if rest:
            self._wake(False)
        self._make(due)

    def run(self) -> None:
        """Make all calls; one that fails leaves the others to be made."""
        with self._lock:
            calls, self._calls, self._due = self._calls, [], 0
            self._visits += 1
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
    waiting = of_session(session)
    waiting.add(handle, at_once=presses(waiting, event, values.get("forward_msg")))


def presses(waiting: Waiting, event: ScriptRunnerEvent, message: ForwardMsg | None) -> bool:
    """
    Whether an event does not wait: the end of a run, and the first element behind its answer or its charts.

    The beginning waits for the answer: for it alone a browser would draw the whole page anew.
    """
    if event is ScriptRunnerEvent.SCRIPT_STARTED:
        waiting.begin()
        return False
    if event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG and message is not None:
        return waiting.part_ended(message)
    return True


def of_session(session: AppSession) -> Waiting:
    """The calls that wait for a session's event loop."""
    waiting: Waiting | None = vars(session).get(_WAITING)
    if waiting is None:
        waiting = vars(session).setdefault(_WAITING, Waiting(partial(_wake, session)))
    return waiting


def _wake(session: AppSession, at_once: bool) -> None:
    waiting = of_session(session)
    visits = waiting.visits

    def run() -> None:
        if waiting.visits == visits:
            waiting.run()

    def later() -> None:
        session._event_loop.call_later(DELAY_S, run)  # noqa: SLF001

    session._call_soon_on_event_loop(waiting.run_due if at_once else later)  # noqa: SLF001
