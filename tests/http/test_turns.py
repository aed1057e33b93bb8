"""Behind its answer a run lets those go first that have none yet, and never for long."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from pages.http import turns
from pages.http.turns import FIRST_S, MOST_WAIT_S, Turns


def block(*path, name=""):
    """A container that a run draws at a place of the page."""
    message = ForwardMsg()
    message.delta.add_block.id = name
    message.metadata.delta_path.extend(path)
    return message


HEADLINE, INSIDE, BEHIND = block(0, 3, name="answer-headline"), block(0, 3, 0), block(0, 4)
LIMIT_S = 30


class Clock:
    """A clock that each look moves."""

    def __init__(self, step_s=0.0):
        self.now_s, self.step_s = 0.0, step_s

    def __call__(self):
        self.now_s += self.step_s
        return self.now_s


def answered(line, session):
    """A run that has drawn its answer and nothing behind it."""
    line.begin(session)
    for message in (HEADLINE, INSIDE):
        line.drawn(session, message, wanted=pytest.fail)


@pytest.mark.parametrize("how", ["answers", "ends"])
def test_a_run_behind_its_answer_waits_for_one_without(how):
    """The chart of one visitor is drawn after the headline of another, however that run goes on."""
    line, waiting = Turns(Clock()), Event()
    answered(line, "first")
    line.begin("second")
    with ThreadPoolExecutor(1) as thread:
        chart = thread.submit(line.drawn, "first", BEHIND, lambda: waiting.set() or True)
        assert waiting.wait(LIMIT_S)
        assert not chart.done()
        if how == "ends":
            line.end("second")
        else:
            line.drawn("second", HEADLINE, wanted=pytest.fail)
            line.drawn("second", BEHIND, wanted=pytest.fail)
        chart.result(LIMIT_S)


def test_nobody_waits_before_the_answer_nor_alone():
    """Runs without an answer do not wait for each other; a run alone draws on."""
    line = Turns(Clock())
    for session in ("first", "second"):
        line.begin(session)
        line.drawn(session, block(0, 1), wanted=pytest.fail)
    line.end("second")
    answered(line, "first")
    line.drawn("first", BEHIND, wanted=pytest.fail)
    line.drawn("gone", BEHIND, wanted=pytest.fail)


def test_a_run_that_is_to_end_goes_on_at_once():
    """A visitor who types again does not wait until others have their answer."""
    line = Turns(Clock())
    answered(line, "first")
    line.begin("second")
    line.drawn("first", BEHIND, wanted=lambda: False)


def test_a_run_that_draws_no_answer_keeps_others_waiting_for_a_moment(monkeypatch):
    """A page without a headline, or a slow one, goes first for a moment; nobody waits for ever."""
    monkeypatch.setattr(turns, "LOOK_S", 0.0)
    clock = Clock(step_s=0.1)
    line = Turns(clock)
    answered(line, "first")
    line.begin("slow")
    line.drawn("first", BEHIND, wanted=lambda: True)
    assert clock.now_s < FIRST_S + 1

    def another():
        line.begin("slow")
        return True

    line.drawn("first", BEHIND, wanted=another)
    line.drawn("first", BEHIND, wanted=another)
    assert clock.now_s < FIRST_S + MOST_WAIT_S + 2


def test_a_run_without_a_headline_gives_way_after_a_moment(monkeypatch):
    """A page that draws no answer goes first for a moment, then lets those go first that have none yet."""
    monkeypatch.setattr(turns, "LOOK_S", 0.0)
    clock = Clock()
    line = Turns(clock)
    line.begin("bare")
    line.drawn("bare", block(0, 1), wanted=pytest.fail)
    clock.now_s = FIRST_S
    line.begin("second")
    looks = []
    line.drawn("bare", block(0, 2), wanted=lambda: looks.append("waited") or len(looks) < 3)
    assert looks == ["waited"] * 3


def test_the_end_of_an_old_runner_leaves_the_new_one_its_turn(monkeypatch):
    """A session's old runner may shut down after its new one has begun: the new run still goes first."""
    line, session = Turns(Clock()), SimpleNamespace(id="visitor")
    monkeypatch.setattr(turns, "_TURNS", line)
    monkeypatch.setattr(turns.together, "on_event", lambda *_, **__: None)
    monkeypatch.setattr(turns, "LOOK_S", 0.0)
    old, new = object(), object()
    turns.on_event(session, old, ScriptRunnerEvent.SCRIPT_STARTED)
    turns.on_event(session, new, ScriptRunnerEvent.SCRIPT_STARTED)
    turns.on_event(session, old, ScriptRunnerEvent.SHUTDOWN)
    answered(line, "other")
    looks = []
    line.drawn("other", BEHIND, wanted=lambda: looks.append("waited") or len(looks) < 2)
    assert looks == ["waited"] * 2
