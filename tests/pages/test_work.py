"""Long work in parts: what is remembered is shared by all sessions, which may drop it at any moment."""

from collections import OrderedDict

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from pages.ui.shared import work


class Evicting(OrderedDict):
    """A memory from which another session drops an entry just when it is looked up."""

    def move_to_end(self, key, last=True):
        """Too late: the entry has gone."""
        self.pop(key, None)
        super().move_to_end(key, last)


def test_an_answer_that_was_just_dropped_is_computed_again(monkeypatch):
    """Neither an error nor an empty answer: the search runs once more."""
    monkeypatch.setattr(work, "_finished", Evicting())
    answers = [work.collect("Search", "question", lambda: [lambda: 1, lambda: 2]) for _ in range(2)]

    assert [answer.done for answer in answers] == [(1, 2), (1, 2)]
    assert all(answer.complete for answer in answers)


def followed():
    """A page that follows one task."""
    import streamlit as st

    from pages.ui.shared import work

    work.AFTER_S = -1.0
    answer = work.follow("Reading", "question", lambda tell: (tell(0.5), tell(7.0), "read")[-1])
    st.markdown(answer or "nothing")


@pytest.fixture
def _none_remembered(monkeypatch):
    monkeypatch.setattr(work, "_answers", OrderedDict())
    monkeypatch.setattr(work, "AFTER_S", work.AFTER_S)


@pytest.mark.usefixtures("_none_remembered")
def test_a_stopped_task_is_offered_again():
    """Stop leaves the page without an answer; Continue does the task, which then is remembered."""
    app = AppTest.from_function(followed)
    app.session_state[work._STOPPED] = work._Interrupted(("Reading", "question"), ())
    app.run()
    assert [text.value for text in app.markdown] == ["nothing"]
    assert [text.value for text in app.caption] == ["Stopped: Reading."]

    app.button(key="continue Reading").click().run()
    assert not app.exception
    assert [text.value for text in app.markdown] == ["read"]
    assert list(work._answers.values()) == ["read"]


@pytest.mark.usefixtures("_none_remembered")
def test_a_task_that_fails_is_not_remembered():
    """Its reason comes through, and the next try is a try."""

    def fail(tell):
        tell(0.1)
        message = "no trace"
        raise InputError(message)

    for _ in range(2):
        with pytest.raises(InputError, match="no trace"):
            work.follow("Reading", "other", fail)
    assert work._answers == {}
