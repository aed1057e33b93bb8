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


def edited():
    """A page that searches in a fragment, as those below the bar do; the first part is the time of an edit."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

    from pages.ui.shared import work

    @st.fragment
    def page():
        requests, here = get_script_run_ctx().script_requests, ThreadState.get().fragment_id
        ran = st.session_state.setdefault("ran", [])
        question = st.session_state.setdefault("question", "former")

        def part(number):
            ran.append((question, number))
            if st.session_state.question == "former":
                st.session_state.question = "edited"
                requests.request_rerun(RerunData(fragment_id=here))
            return number

        found = work.collect("Search", question, lambda: [lambda: part(1), lambda: part(2)])
        st.markdown(f"{question}: {found.done}")

    page()


def test_an_edit_ends_a_search_of_a_page_below_the_bar(monkeypatch):
    """Streamlit lets a fragment run to its end: the search itself ends, and the next run finds what had been done."""
    monkeypatch.setattr(work, "_finished", OrderedDict())
    app = AppTest.from_function(edited).run()

    assert not app.exception
    assert app.session_state["ran"] == [("former", 1), ("edited", 1), ("edited", 2)]
    assert [text.value for text in app.markdown] == ["edited: (1, 2)"]


def resumed():
    """A page that searches three parts, of which the first two stand in the session."""
    import streamlit as st

    from pages.ui.shared import work

    ran = st.session_state.setdefault("ran", [])

    def part(number):
        ran.append(number)
        return number

    tasks = [lambda number=number: part(number) for number in (1, 2, 3)]
    st.markdown(work.collect("Search", "question", lambda: tasks).done)


def test_a_stopped_search_goes_on_behind_what_it_has(monkeypatch):
    """Continue computes the parts that are missing, and none of the others once more."""
    monkeypatch.setattr(work, "_finished", OrderedDict())
    app = AppTest.from_function(resumed)
    app.session_state[work._STOPPED] = work._Interrupted(("Search", "question"), (1, 2))
    app.run()
    assert app.session_state["ran"] == []

    app.button(key="continue Search").click().run()
    assert app.session_state["ran"] == [3]
    assert [text.value for text in app.markdown] == ["(1, 2, 3)"]


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
    """Stop leaves the page without an answer; *Start again* does the task, which then is remembered."""
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
