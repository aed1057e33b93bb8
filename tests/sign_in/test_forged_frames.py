"""What a reader's own websocket may do with the widgets of others: frames written by hand, at the real server."""

import time

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from db.audit import Action
from db.people import Person, Role
from db.store import Store
from pages.http.sign_in.session import COOKIE, Cookie, Session
from tests.bench.window import ENDED
from tests.db.examples import simple
from tests.db.test_fits import FIT
from tests.server import ANSWER_S, Server
from tests.sign_in.forger import environment, settings

ISSUER = "https://id.example.com"
ROOT, VERA = (f"{name}@example.com" for name in ("root", "vera"))
RULES = {"WIRESPEED_ADMINS": ROOT, "WIRESPEED_UPLOADERS": "", "WIRESPEED_VIEWERS": VERA}
ADMIN = Person(ROOT, Role.ADMIN)
TEXTS = ("text_input", "text_area", "chat_input")
VERAS = {Action.REFUSED, Action.MAKE_TOKEN}
QUERIES = {"measurements": "runs=1"}
PAGES = ("measurements", "my_cluster", "scenarios", "access", "collectives", "job")


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """A server where one is an admin and one a viewer, with something of each kind that can be changed."""
    folder = tmp_path_factory.mktemp("frames")
    store = Store(f"sqlite:///{folder / 'data' / 'wirespeed.db'}")
    store.prepare()
    view = store.seen_by(ADMIN)
    view.save([simple()])
    view.save_fit(FIT)
    view.projects.make("lab", [ROOT])
    view.tokens.make("CI", "upload")
    with Server(folder, **environment(ISSUER, "{base}", **RULES)) as running:
        running.store = store
        yield running
    store.close()


def cookie(email):
    """The cookie of somebody who has signed in."""
    session = Session(email, frozenset(), time.time() + 1e6)
    return f"{COOKIE}={Cookie(settings(ISSUER, **RULES)).value(session)}"


def channel(server, email, *protocols):
    """The websocket of somebody's window; a page that comes back names its former session behind the protocol."""
    headers = {"Cookie": email if "=" in email else cookie(email)}
    return server.websocket(*protocols, additional_headers=headers)


def session_of(socket):
    """What Streamlit calls the session behind a websocket."""
    message = BackMsg()
    message.rerun_script.page_name = "cost"
    socket.send(message.SerializeToString())
    while True:
        answer = ForwardMsg.FromString(socket.recv(ANSWER_S))
        if answer.WhichOneof("type") == "new_session":
            return answer.new_session.initialize.session_id


def run(socket, page, query="", widgets=(), script=""):
    """Ask for a page, some of its widgets set; every widget that came back: its kind, id, and part of the page."""
    message = BackMsg()
    wanted = message.rerun_script
    wanted.query_string, wanted.page_name, wanted.page_script_hash = query, page, script
    for kind, name in widgets:
        state = wanted.widget_states.widgets.add(id=name)
        if kind == "button":
            state.trigger_value = True
        elif kind == "checkbox":
            state.bool_value = True
        else:
            state.string_value = "forged"
    socket.send(message.SerializeToString())
    found, failed, hashed = set(), [], script
    while True:
        answer = ForwardMsg.FromString(socket.recv(ANSWER_S))
        kind = answer.WhichOneof("type")
        if kind == ENDED and answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return found, failed, hashed
        if kind == "navigation":
            hashed = answer.navigation.page_script_hash
        if kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
            element = answer.delta.new_element
            what = element.WhichOneof("type")
            if what == "exception":
                failed.append(element.exception.message)
            if what in {"button", "checkbox", *TEXTS}:
                found.add((what, getattr(element, what).id))


def everything(store):
    """All that could be changed, as an admin sees it, but the viewer's own tokens, and what was refused."""
    view = store.seen_by(ADMIN)
    entries = view.audit.entries(limit=500)
    return (
        [(row.id, row.note, row.deleted_at) for row in view.runs().runs],
        [fit.name for fit in view.fits()],
        [(project.name, project.members) for project in view.projects.listed()],
        [(token.name, token.revoked_at) for token in view.tokens.listed() if token.owner != VERA],
        [(entry.actor, entry.action, entry.subject) for entry in entries if entry.action not in VERAS],
    )


def press(server, email, page, widgets):
    """Each of these buttons from a window of somebody, all fields filled, and then all at once; what failed."""
    with channel(server, email) as socket:
        _, failed, script = run(socket, page, QUERIES.get(page, ""))
        fields = [(kind, name) for kind, name in widgets if kind != "button"]
        buttons = sorted(name for kind, name in widgets if kind == "button")
        for pressed in [*([("button", name)] for name in buttons), [("button", name) for name in buttons]]:
            failed += run(socket, page, QUERIES.get(page, ""), [*fields, *pressed], script)[1]
    return failed


def seen(server, page):
    """The widgets of a page as an admin sees it."""
    with channel(server, ROOT) as socket:
        widgets, failed, _ = run(socket, page, QUERIES.get(page, ""))
    assert failed == []
    assert any(kind == "button" for kind, _ in widgets)
    return widgets


@pytest.mark.parametrize("page", PAGES)
def test_a_viewer_who_presses_an_admins_widgets_changes_nothing(closed, page):
    """A viewer may make tokens, which read; no button or field of an admin's page does more for them."""
    widgets = seen(closed, page)
    before = everything(closed.store)

    assert press(closed, VERA, page, widgets) == []
    assert everything(closed.store) == before
    tokens = closed.store.seen_by(ADMIN).tokens.listed()
    assert {token.scope for token in tokens if token.owner == VERA} <= {"read"}


def test_the_same_frames_from_an_admins_window_do_act(closed):
    """What the viewer was refused is no frame that nobody understands: the admin's run is deleted by it."""
    widgets = seen(closed, "measurements")
    press(closed, ROOT, "measurements", {(kind, name) for kind, name in widgets if name.endswith("_delete")})

    assert not closed.store.seen_by(ADMIN).runs().runs


def test_nobody_comes_back_to_the_session_of_somebody_else(closed):
    """Who knows what an admin's session is called gets one of their own, while it is open and after; the admin theirs."""
    admin = cookie(ROOT)
    with channel(closed, admin) as socket:
        session = session_of(socket)
        with channel(closed, VERA, "xsrf", session) as other:
            assert session_of(other) != session
    with channel(closed, VERA, "xsrf", session) as other:
        assert session_of(other) != session
    with channel(closed, admin, "xsrf", session) as socket:
        assert session_of(socket) == session
