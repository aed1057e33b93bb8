"""Runs of a process that have yet to draw their answer go before runs that draw what follows it."""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from pages.http import together
from pages.http.together import AnswerPlace

FIRST_S = 2.0
"""How long a run goes first: one that draws no answer in that time keeps nobody waiting any longer."""
MOST_WAIT_S = 4.0
"""What a run waits for others altogether."""
LOOK_S = 0.1


class Run:
    """One run of a page: whether its answer is drawn, and what it waited for others."""

    def __init__(self, begun_s: float) -> None:
        self.begun_s = begun_s
        self.waited_s = 0.0
        self.answered = False
        self._place = AnswerPlace()

    def draw(self, message: ForwardMsg) -> bool:
        """Whether a message is the first behind the answer."""
        if self.answered:
            return False
        self.answered = self._place.passed(message)
        return self.answered


class Turns:
    """
    Which runs of the process go first; safe between threads.

    Args:
        clock: Seconds that never run backwards.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._runs: dict[Hashable, Run] = {}
        self._changed = threading.Condition()

    def begin(self, runner: Hashable) -> None:
        """The script of a runner, of which a session may have an old and a new one, runs from its start."""
        with self._changed:
            self._runs[runner] = Run(self._clock())

    def end(self, runner: Hashable) -> None:
        """It has ended, however it ended."""
        with self._changed:
            self._runs.pop(runner, None)
            self._wake()

    def drawn(self, runner: Hashable, message: ForwardMsg, wanted: Callable[[], bool]) -> None:
        """
        A run has drawn something: behind its answer, or long without one, it waits as long as others have none.

        Args:
            runner: Whose run it is.
            message: What was drawn.
            wanted: Whether the run is wanted still; one that is to end goes on to its end at once.
        """
        with self._changed:
            run = self._runs.get(runner)
            if run is None:
                return
            if run.draw(message):
                self._wake()
            if run.answered or self._clock() - run.begun_s >= FIRST_S:
                self._give_way(run, wanted)

    def _wake(self) -> None:
        """Those who wait go on, unless they would only wait again."""
        if not self._others_first():
            self._changed.notify_all()

    def _give_way(self, run: Run, wanted: Callable[[], bool]) -> None:
        begun = self._clock()
        while self._others_first() and wanted() and run.waited_s + self._clock() - begun < MOST_WAIT_S:
            self._changed.wait(LOOK_S)
        run.waited_s += self._clock() - begun

    def _others_first(self) -> bool:
        now = self._clock()
        return any(not run.answered and now - run.begun_s < FIRST_S for run in self._runs.values())


_TURNS = Turns()


def on_event(session: AppSession, sender: Any, event: ScriptRunnerEvent, **values: Any) -> None:
    """In place of ``AppSession._on_scriptrunner_event``: the event is handed over first, then others may go first."""
    together.on_event(session, sender, event, **values)
    if event is ScriptRunnerEvent.SCRIPT_STARTED:
        _TURNS.begin(sender)
    elif event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
        _TURNS.end(sender)
    elif threading.current_thread() is sender._script_thread:  # noqa: SLF001
        _TURNS.drawn(sender, values["forward_msg"], lambda: _wanted(sender))


def _wanted(sender: Any) -> bool:
    """Nobody asked the run to stop or to begin anew."""
    return sender._requests._state is ScriptRequestType.CONTINUE  # noqa: SLF001
