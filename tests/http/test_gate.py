"""Whom the server answers: by which name it was asked, from which site, with which token."""

import os
import socket
import threading

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from core.errors import InputError
from db.attempts import MOST, MOST_ADDRESSES, WITHIN_S, Attempts
from db.clients import counted_as
from db.hosts import allowed_names, encrypted_name, is_allowed, is_same_origin
from pages.http.gate import POLICY_VIOLATION, Gate
from tests.db.examples import log
from tests.each import table
from tests.server import ROOT, Server

TOKEN = "a-token-of-this-test"  # noqa: S105
STREAM = "_stcore/stream"


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """A server with a token that is also known by a name of its own."""
    folder = tmp_path_factory.mktemp("team")
    names = {"WIRESPEED_HOSTS": "fabric.example,other.example", "WIRESPEED_OPEN": "write"}
    with Server(folder, WIRESPEED_API_TOKEN=TOKEN, **names) as running:
        yield running


@pytest.fixture
def bare(plain_server):
    """A server with no setting at all."""
    return plain_server


def handshake(server, host, *origins):
    """The status of a websocket's handshake: 101 where it is taken."""
    address = f"ws://{host}/{STREAM}"
    headers = [("Origin", origin) for origin in origins]
    channel = socket.create_connection(("127.0.0.1", server.port), timeout=120)
    try:
        with connect(address, sock=channel, additional_headers=headers, subprotocols=["streamlit"]):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def test_a_websocket_of_a_foreign_name_is_refused(bare):
    """DNS rebinding: a page of another site that made its name lead here gets no session."""
    port = bare.port

    assert handshake(bare, f"127.0.0.1:{port}", f"http://127.0.0.1:{port}") == 101
    assert handshake(bare, f"localhost:{port}", f"http://localhost:{port}") == 101
    assert handshake(bare, f"evil.example:{port}", f"http://evil.example:{port}") == 403
    assert handshake(bare, f"127.0.0.1:{port}", "http://localhost:3000") == 403
    assert handshake(bare, f"127.0.0.1:{port}", f"evil://127.0.0.1:{port}") == 403
    assert handshake(bare, f"127.0.0.1:{port}", f"http://127.0.0.1:{port}", "http://evil.example") == 400


def test_a_name_of_the_settings_is_served(team):
    """WIRESPEED_HOSTS lets a team use its server by name, pages and websocket alike."""
    by_name = {"Host": "fabric.example"}

    assert team.get("/", headers=by_name).status_code == 200
    assert handshake(team, "fabric.example", "https://fabric.example") == 101
    assert team.get("/", headers={"Host": "third.example"}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:evil.com", "evil.example", "127.0.0.1@evil", "", "a b"])
def test_a_malformed_or_foreign_host_gets_one_line_of_json(bare, host):
    """The answer is JSON, names no host, and nothing behind sees the request."""
    answer = bare.get("/api/v1/runs", headers={"Host": host})

    assert answer.status_code in {400, 403}
    assert answer.headers["content-type"].startswith(("application/json", "text/plain"))
    assert "evil" not in answer.text


@pytest.mark.parametrize(
    "header",
    [
        *("CF-Connecting-IP", "True-Client-IP", "X-Client-IP", "X-Forwarded-Proto", "X-Forwarded"),
        *("X-Forwarded-Server", "X_Forwarded_For", "X-Forwarded-For", "Forwarded", "Via"),
    ],
)
def test_a_proxys_client_is_not_this_machine(bare, header):
    """Without a token, whatever a proxy adds makes its client a stranger."""
    answer = bare.post("/api/v1/runs", content=log(), headers={header: "203.0.113.9"})

    assert answer.status_code == 403


def test_a_program_on_this_machine_needs_no_token(bare):
    """Curl on the same machine sends a log as before."""
    assert bare.post("/api/v1/runs", content=log()).status_code in {200, 201}


def test_an_address_may_try_again_after_a_minute():
    """Old failures are forgotten; other addresses never waited."""
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    for _ in range(MOST):
        attempts.note("198.51.100.1")

    assert attempts.wait_s("198.51.100.1") == WITHIN_S
    assert attempts.wait_s("198.51.100.2") == 0
    now[0] = WITHIN_S + 1
    assert attempts.wait_s("198.51.100.1") == 0


def test_very_many_addresses_are_forgotten_in_their_turn():
    """The table of addresses fills up: who comes back a minute later is counted, and so is who is new."""
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    for number in range(MOST_ADDRESSES):
        attempts.note(str(number))
    now[0] = WITHIN_S + 1

    assert attempts.wait_s("0") == 0
    for _ in range(MOST):
        attempts.note("0")
        attempts.note("new")
    assert attempts.wait_s("0") == attempts.wait_s("new") == WITHIN_S


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:198.51.100.1", "198.51.100.1", True),
        ("198.51.100.1", "198.51.100.2", False),
        ("::1", "::2", False),
        ("", "unix", False),
    ],
)
def test_who_has_a_network_of_addresses_is_one_visitor(one, other, same):
    """A home is given 2^64 addresses of version 6: each with its own tries would make a limit worth nothing."""
    assert (counted_as(one) == counted_as(other)) == same


def test_streamlits_metrics_are_closed(bare):
    """What Streamlit counts is nobody's business."""
    assert bare.get("/_stcore/metrics").status_code == 404


def test_the_host_is_never_given_back(team):
    """No answer repeats a name that only the client knows."""
    ours = {"Authorization": f"Bearer {TOKEN}", "Host": "203.0.113.77"}
    kept = team.post("/api/v1/runs", content=log(), headers=ours)
    slash = team.get("/api/v1/runs/", headers=ours, follow_redirects=False)

    assert kept.json()["url"].startswith("/measurements?runs=")
    assert slash.status_code == 404
    assert "203.0.113" not in kept.text + slash.text + str(slash.headers)


WATCH = """
import sys

OWN = ("", "0.0.0.0", "127.0.0.1", "::", "::1", "localhost")

def watch(event, arguments):
    if event == "socket.connect":
        host = arguments[1][0] if isinstance(arguments[1], tuple) else ""
    elif event == "socket.getaddrinfo":
        host = arguments[0] or ""
    else:
        return
    if host not in OWN:
        with open({said!r}, "a") as file:
            print(event, host, file=file)

sys.addaudithook(watch)
"""
"""Python reads ``sitecustomize`` before a program: each connection and each name that is looked up passes it."""


def test_a_public_server_asks_no_other_host_and_trusts_no_address(tmp_path):
    """On all addresses and under a name of its own it opens no connection elsewhere, and even this machine needs a token."""
    callers, said = [], tmp_path / "asked.txt"
    said.touch()
    (tmp_path / "sitecustomize.py").write_text(WATCH.format(said=str(said)))
    watched = {"PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(600)

        def listen():
            while True:
                try:
                    callers.append(proxy.accept()[0])
                except OSError:
                    return

        threading.Thread(target=listen, daemon=True).start()
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        everywhere = {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0", "WIRESPEED_OPEN": "write"}  # noqa: S104
        settings = {"http_proxy": address, "https_proxy": address, "WIRESPEED_HOSTS": "fabric.example"}
        with Server(tmp_path, no_proxy="", **everywhere, **settings, **watched) as server:
            handshake(server, f"127.0.0.1:{server.port}", "http://elsewhere.example")
            assert handshake(server, "fabric.example", "https://fabric.example") == 101
            assert server.get("/", headers={"Host": "fabric.example"}).status_code == 200
            unnamed = server.post("/api/v1/runs", content=log())

    assert unnamed.status_code == 403
    assert (callers, said.read_text()) == ([], "")


def test_names_and_origins_by_hand():
    """The rules on which the gate rests."""
    names = allowed_names({"WIRESPEED_HOSTS": " Fabric.Example, box "})

    assert is_allowed("fabric.example:8501", names)
    assert is_allowed("[::1]:8501", names)
    assert is_allowed("192.0.2.7", names)
    assert not is_allowed("localhost:evil.com", names)
    assert is_same_origin([], "box")
    assert not is_same_origin(["http://box", "http://evil"], "box")
    with pytest.raises(InputError, match="WIRESPEED_HOSTS"):
        allowed_names({"WIRESPEED_HOSTS": "http://fabric.example"})
    with pytest.raises(InputError, match="WIRESPEED_PUBLIC_URL"):
        allowed_names({"WIRESPEED_PUBLIC_URL": "https://[::1"})


@pytest.mark.parametrize(
    ("scheme", "host", "origin", "taken"),
    [
        ("ws", "wirespeed.example", "http://wirespeed.example", False),
        ("ws", "wirespeed.example", "https://wirespeed.example", True),
        ("wss", "other.example", "http://other.example", False),
        ("wss", "other.example", "https://other.example", True),
        ("ws", "other.example", "http://other.example", True),
    ],
)
def test_a_page_of_http_is_another_site_where_the_server_is_asked_by_https(scheme, host, origin, taken):
    """Whoever writes into a page on its way to a colleague presses no button of theirs."""
    name = encrypted_name({"WIRESPEED_PUBLIC_URL": "https://wirespeed.example/tools"})
    gate = Gate(None, frozenset({"wirespeed.example", "other.example"}), name)
    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    refusal = gate.refusal({"type": "websocket", "scheme": scheme, "path": "/", "headers": headers})

    assert (refusal is None) == taken


@pytest.mark.parametrize("hosts", [(), ("localhost", "evil.example"), ("evil.example", "localhost")])
def test_a_request_names_one_host(hosts):
    """None, or two of which a proxy read the other one: nobody is asked which counts."""
    headers = [(b"host", host.encode()) for host in hosts]
    refusal = Gate(None).refusal({"type": "http", "method": "GET", "path": "/", "headers": headers})

    assert refusal is not None
    assert refusal.status == 400


FOREIGN = {"origin": "http://evil.example"}


@table(
    ("method", "path", "headers", "status", "said"),
    [
        ("GET", "/", {}, 200, "behind"),
        ("GET", "/", FOREIGN, 200, "behind"),
        ("HEAD", "/", FOREIGN, 200, ""),
        ("OPTIONS", "/", FOREIGN, 200, "behind"),
        ("POST", "/", FOREIGN, 403, "pages of other sites may not use this server"),
        ("DELETE", "/", FOREIGN, 403, "pages of other sites may not use this server"),
        ("GET", "/", {"host": "evil.example"}, 403, "this server is not known by that name"),
        ("GET", "/a/_stcore/metrics/", {}, 404, "there is nothing here"),
    ],
)
def test_a_refusal_is_its_status_and_one_line_of_json(method, path, headers, status, said):
    """A program reads why, and what only reads is answered whosever page asks."""
    visitor = TestClient(Gate(PlainTextResponse("behind")), base_url="http://localhost")
    answer = visitor.request(method, path, headers=headers)

    assert answer.status_code == status
    if status == 200:
        assert answer.text == said
    else:
        assert answer.json().keys() == {"error", "line"}
        assert answer.json()["error"].startswith(said)
        assert answer.json()["line"] is None


def test_a_refused_websocket_is_closed_as_against_the_rules():
    """Its number and reason are those of a policy, in the words of the refusal."""
    visitor = TestClient(Gate(PlainTextResponse("behind")), base_url="http://localhost")
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        visitor.websocket_connect("ws://localhost/", headers=FOREIGN),
    ):
        pass

    assert (closed.value.code, closed.value.reason) == (
        POLICY_VIOLATION,
        "pages of other sites may not use this server",
    )
