"""The guard before every page, file and websocket: who passes, and what everyone else is answered."""

import time

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from db.access import Admission
from db.opening import Opening
from db.people import Person, Role
from pages.http.sign_in.guard import HEADER, Guard
from pages.http.sign_in.session import COOKIE, Cookie, Session, fitting, of_text
from tests.sign_in.forger import settings

ISSUER = "https://id.example.com"
PAGE = {"Accept": "text/html"}
ADA = Session("ada@example.com", frozenset({"lab"}), time.time() + 1e6)


async def seen(request):
    """What a page would be told of who is there."""
    return JSONResponse({"session": request.headers.get(HEADER)})


async def stream(websocket):
    """The channel of an open page."""
    await websocket.accept()
    await websocket.send_json({"session": websocket.headers.get(HEADER)})
    await websocket.close()


async def by_token(connection):
    """A program with the one token of this test."""
    sent = connection.headers.get("authorization")
    if sent == "Bearer often":
        return Admission(429, "wait", wait_s=41.2)
    right = sent == "Bearer right"
    return Admission(200, person=Person("token", Role.UPLOADER)) if right else Admission(401, "send a token")


def browser(opening=Opening.CLOSED, base="http://127.0.0.1:8501", chosen=None):
    """A browser before a guarded application that answers everything."""
    chosen = (chosen or settings(ISSUER)) if opening is Opening.CLOSED else None
    application = Starlette(routes=[WebSocketRoute("/_stcore/stream", stream), Route("/{path:path}", seen)])
    return TestClient(Guard(application, opening, chosen, by_token), base_url=base, follow_redirects=False)


def signed_in(session=ADA, chosen=None):
    """A browser with the cookie of a session."""
    client = browser(chosen=chosen)
    client.cookies.set(COOKIE, Cookie(settings(ISSUER)).value(session))
    return client


def handshake(client, **headers):
    """What an open page is told over its websocket; None where it is refused."""
    address = f"ws://{client.base_url.netloc.decode()}/_stcore/stream"
    try:
        with client.websocket_connect(address, headers=headers) as channel:
            return channel.receive_json()
    except WebSocketDisconnect:
        return None


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/measurements",
        "/static/js/index.js",
        "/_stcore/host-config",
        "/_stcore/upload_file/x",
        "/media/x",
        "/wirespeed.js",
        "/strategy",
        "/signal",
        "/sign-in-x",
        "/docsx",
        "/healthz/",
        "/api/v1/runsx",
        "/api/v1/jobsx",
        "/api/v1/ask",
        "/api/v1/ask/collective",
        "/mcp",
    ],
)
def test_a_stranger_sees_no_page_no_file_and_no_channel(path):
    """A browser is sent to the sign-in with the page that it wanted; a program gets one line."""
    client = browser()
    as_program, as_browser = client.get(path), client.get(path, headers=PAGE)

    assert as_program.status_code == 401
    assert as_browser.status_code in {303, 401}
    assert "session" not in as_program.text
    assert client.post(path).status_code == 401
    assert handshake(client) is None


def test_the_way_to_sign_in_keeps_the_page_and_its_question():
    """What was asked is asked again after signing in."""
    answer = browser().get("/measurements?runs=3&runs=4", headers=PAGE)

    assert answer.headers["location"] == (
        "http://127.0.0.1:8501/sign-in?next=%2Fmeasurements%3Fruns%3D3%26runs%3D4"
    )


@pytest.mark.parametrize(
    "path",
    [
        *("/healthz", "/readyz", "/probe.pyz", "/metrics", "/_stcore/health", "/docs", "/docs/index.html"),
        *(
            "/sign-in",
            "/sign-in/callback",
            "/sign-out",
            "/api/v1/runs",
            "/api/v1/runs/3",
            "/api/v1/jobs",
            "/api/v1/jobs/3",
            "/api/v1/openapi.json",
        ),
    ],
)
def test_what_is_open_to_strangers_and_what_asks_for_itself(path):
    """Health, documentation, the probe, the way in; runs and metrics ask for their token themselves."""
    assert browser().get(path).status_code == 200


def test_who_has_signed_in_passes_and_is_named_to_the_pages():
    """Files, pages and websocket carry the checked session; what a browser itself sends is thrown away."""
    client = signed_in()

    assert of_text(client.get("/", headers=PAGE).json()["session"]) == ADA
    assert of_text(handshake(client)["session"]) == ADA
    forged = Session("root@example.com", frozenset(), time.time() + 1e6).text()
    assert of_text(client.get("/", headers={HEADER: forged}).json()["session"]) == ADA
    for how in (Opening.LOOPBACK, Opening.READ, Opening.WRITE):
        assert browser(how).get("/", headers={HEADER: forged}).json() == {"session": None}


def altered():
    """Cookies that are not quite right."""
    right = Cookie(settings(ISSUER)).value(ADA)
    other = Cookie(settings(ISSUER, WIRESPEED_COOKIE_SECRET="another secret of the same length, " * 2))
    yield "cut", right[:-1]
    yield "longer", right + "A"
    yield "of another secret", other.value(ADA)
    yield "with another content", f"{other.value(ADA).rpartition('.')[0]}x.{right.rpartition('.')[2]}"
    yield "empty", ""
    yield "past its end", Cookie(settings(ISSUER)).value(Session(ADA.email, ADA.groups, time.time() - 1))


@pytest.mark.parametrize("value", dict(altered()).values(), ids=dict(altered()))
def test_a_cookie_that_is_altered_forged_or_past_its_end_is_nobodys(value):
    """Every byte is signed, and so is its end."""
    client = browser()
    client.cookies.set(COOKIE, value)

    assert client.get("/", headers=PAGE).status_code == 303
    assert handshake(client) is None


def test_a_session_that_was_signed_out_of_opens_nothing():
    """Its cookie is still signed and in time: no page, no channel."""
    session = Session(ADA.email, ADA.groups, time.time() + 2e6)
    client = signed_in(session)
    assert handshake(client) is not None
    session.end()

    assert client.get("/", headers=PAGE).status_code == 303
    assert handshake(client) is None


def test_somebody_without_a_role_sees_one_page_that_says_so():
    """Signed in, and named by no list: no page, no file, no channel; a role taken away counts at once."""
    client = signed_in(Session("vera@example.com", frozenset(), time.time() + 1e6))
    answer = client.get("/measurements", headers=PAGE)

    assert (answer.status_code, "vera@example.com" in answer.text) == (403, True)
    assert client.get("/_stcore/host-config").status_code == 403
    assert handshake(client) is None
    taken = settings(ISSUER, WIRESPEED_UPLOADERS="somebody@example.com")
    assert signed_in(chosen=taken).get("/", headers=PAGE).status_code == 403


def test_calculators_take_a_session_or_a_token():
    """/api/v1/ask and /mcp answer whoever has signed in, and programs with a token."""
    for path in ("/api/v1/ask", "/mcp"):
        assert signed_in().get(path).status_code == 200
        assert browser().get(path, headers={"Authorization": "Bearer right"}).status_code == 200
        assert (
            browser().get(path, headers={"Authorization": "Bearer wrong"}).json()["error"] == "send a token"
        )
        often = browser().get(path, headers={"Authorization": "Bearer often"})
        assert (often.status_code, often.headers["retry-after"]) == (429, "42")


def test_a_server_for_its_own_machine_is_not_served_at_another_address():
    """However it was started: without sign-in, what reaches it by another address of the machine is refused."""
    assert browser(Opening.LOOPBACK).get("/").status_code == 200
    assert browser(Opening.LOOPBACK, "http://192.0.2.7:8501").get("/").status_code == 403
    assert handshake(browser(Opening.LOOPBACK, "http://192.0.2.7:8501")) is None
    # whoever is not on the machine may well write its name
    pretended = {"Host": "127.0.0.1:8501"}
    assert browser(Opening.LOOPBACK, "http://192.0.2.7:8501").get("/", headers=pretended).status_code == 403
    assert browser(Opening.READ, "http://192.0.2.7:8501").get("/").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "10.0.0.5", "Origin": "http://10.0.0.5", "X-Forwarded-For": "203.0.113.9"},
        {"Host": "127.0.0.1:8501", "X-Forwarded-For": "203.0.113.9"},
        {"Host": "127.0.0.1:8501", "Forwarded": "for=203.0.113.9"},
        {"Host": "127.0.0.1:8501", "X_Real_IP": "203.0.113.9"},
        {"Host": "10.0.0.5"},
        {"Host": "fabric.example"},
    ],
)
def test_strangers_behind_a_proxy_are_not_the_machine(headers):
    """Whom a proxy on the machine passes on is nobody here; where everyone is let in, they are."""
    own = browser(Opening.LOOPBACK)

    assert handshake(own, **headers) is None
    assert own.get("/", headers=headers).status_code == own.post("/mcp", headers=headers).status_code == 403
    # these ask for the token themselves
    assert own.get("/api/v1/runs", headers=headers).status_code == 200
    assert handshake(browser(Opening.WRITE), **headers) is not None


@pytest.mark.parametrize("host", ["127.0.0.1:8501", "localhost:8501", "[::1]:8501", "127.0.0.2"])
def test_the_machine_itself_is_served_by_every_loopback_name(host):
    """A browser on the machine, or at the end of an ssh tunnel."""
    own = browser(Opening.LOOPBACK)

    assert own.get("/", headers={"Host": host}).status_code == 200
    assert handshake(own, Host=host, Origin=f"http://{host}") is not None


def test_cookies_are_bound_to_https_and_their_path():
    """__Host- and Secure where the server is reached by https; its own path beside other sites."""
    whole = Cookie(settings(ISSUER, public="https://fabric.example"))
    below = Cookie(settings(ISSUER, public="https://team.example/wirespeed/"))

    assert (whole.name, whole.flags["secure"], whole.flags["path"]) == ("__Host-wirespeed_session", True, "/")
    assert (below.name, below.flags["path"]) == ("__Secure-wirespeed_session", "/wirespeed/")


def test_many_groups_still_fit_into_a_cookie():
    """Those that a role hangs on are kept first; a browser takes 4,096 bytes."""
    groups = fitting((f"group {number:040}" for number in range(500)), frozenset({f"group {400:040}"}))
    session = Session("ada@example.com", groups, 1e10)

    assert f"group {400:040}" in groups
    assert len(groups) > 30
    assert len(Cookie(settings(ISSUER)).value(session)) < 3800
