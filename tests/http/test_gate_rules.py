"""The rules of the door, without a server: names, origins, tries of an address, and what a refusal says."""

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from core.errors import InputError
from db.attempts import MOST, MOST_ADDRESSES, WITHIN_S, Attempts
from db.clients import counted_as
from db.hosts import allowed_names, encrypted_name, is_allowed, is_same_origin
from pages.http.gate import POLICY_VIOLATION, Gate
from tests.each import table


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
