"""A page asks for runs and files; what else its websocket may say to Streamlit reaches nobody."""

import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession

from pages.http import wishes


class Session(AppSession):
    """A session without a visitor: it notes what it is asked for."""

    def __init__(self):
        """Nothing runs."""
        self.asked = []
        self._session_state = {}

    def __del__(self):
        """There is nothing to shut down."""

    def request_rerun(self, client_state):
        """A page is to run."""
        self.asked.append(client_state.query_string)

    def set_run_on_save(self, new_value):
        """Files are to be watched."""
        self.asked.append(new_value)


@pytest.fixture(autouse=True)
def _limited(monkeypatch):
    """As in the web process, until the test ends."""
    monkeypatch.setattr(AppSession, "handle_backmsg", AppSession.handle_backmsg)
    wishes.limit()


def test_a_visitor_cannot_empty_what_is_remembered_for_all():
    """What was read once is not read again after a wish to clear it."""
    read = []

    @st.cache_data(show_spinner=False)
    def remembered(name):
        read.append(name)
        return name

    remembered("log")
    Session().handle_backmsg(BackMsg(clear_cache=True))
    remembered("log")

    assert read == ["log"]


def test_pages_run_and_nothing_else_is_heard(caplog):
    """A run is asked for; a watch of the source, git, a shutdown and nothing at all are passed over without a line."""
    session = Session()
    wish = BackMsg()
    wish.rerun_script.query_string = "ranks=8"
    for message in (
        BackMsg(set_run_on_save=True),
        BackMsg(load_git_info=True),
        BackMsg(debug_shutdown_runtime=True),
        BackMsg(),
        wish,
    ):
        session.handle_backmsg(message)

    assert session.asked == ["ranks=8"]
    assert not caplog.records
