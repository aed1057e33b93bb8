"""Whom the server answers: by which name it was asked, from which site, with which token."""

import os
import socket
import threading

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.db.examples import log
from tests.server import ANSWER_S, ROOT, Server

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
    channel = socket.create_connection(("127.0.0.1", server.port), timeout=ANSWER_S)
    options = {"additional_headers": headers, "subprotocols": ["streamlit"]}
    try:
        with connect(address, sock=channel, open_timeout=ANSWER_S, **options):
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
