"""From which address a request comes: what a client writes itself is never believed."""

import asyncio
from ipaddress import ip_network

import pytest
import uvicorn.config

from core.errors import InputError
from db.clients import Clients, client_address, proxies
from db.setting_values import SHOWN
from pages.http import no_proxy

INSIDE = (ip_network("10.0.0.0/24"), ip_network("127.0.0.1"), ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("peer", "sent", "client"),
    [
        ("203.0.113.9", ["127.0.0.1"], "203.0.113.9"),
        ("10.0.0.5", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.5", ["127.0.0.1, 198.51.100.7"], "198.51.100.7"),
        ("10.0.0.5", ["6.6.6.6", "198.51.100.7, 10.0.0.6"], "198.51.100.7"),
        ("10.0.0.5", ["6.6.6.6, 198.51.100.7, 203.0.113.1"], "203.0.113.1"),
        ("10.0.0.5", [], "10.0.0.5"),
        ("10.0.0.5", [""], "10.0.0.5"),
        ("10.0.0.5", ["unknown"], "10.0.0.5"),
        ("10.0.0.5", ["198.51.100.7, <script>"], "10.0.0.5"),
        ("10.0.0.5", ["198.51.100.7:4711"], "10.0.0.5"),
        ("10.0.0.5", ["6.6.6.6, , 10.0.0.6"], "10.0.0.6"),
        ("10.0.0.5", ["10.0.0.6, 10.0.0.7"], "10.0.0.6"),
        ("10.0.0.5", ["[2001:db8::1]"], "2001:db8::1"),
        ("fd00::1", ["::ffff:198.51.100.7"], "198.51.100.7"),
        ("::ffff:10.0.0.5", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.5", ["6.6.6.6," + "10.0.0.6," * 5000 + "10.0.0.7"], "10.0.0.6"),
        ("", ["198.51.100.7"], ""),
    ],
)
def test_the_client_is_the_last_address_that_no_trusted_proxy_stands_for(peer, sent, client):
    """Whoever connects, whatever is written before: only what a trusted proxy added at the end counts."""
    assert client_address(peer, sent, INSIDE) == client


def test_without_a_setting_nobody_is_believed():
    """Not even a program on this machine."""
    assert proxies({}) == proxies({"WIRESPEED_PROXIES": " , "}) == ()
    assert client_address("127.0.0.1", ["198.51.100.7"], ()) == "127.0.0.1"


@pytest.mark.parametrize("value", ["proxy.example", "10.0.0.0/33", "10.0.0.1/24", "*", "0.0.0.0/0", "::/0"])
def test_a_proxy_is_an_address_or_a_network_and_never_everybody(value):
    """Refused at start, by name."""
    with pytest.raises(InputError, match="WIRESPEED_PROXIES"):
        proxies({"WIRESPEED_PROXIES": f"10.0.0.5, {value}"})


def test_what_is_no_proxy_is_named_in_short():
    """A short entry with what is wrong with it; of a long one its beginning alone."""
    with pytest.raises(InputError, match=r"10\.0\.0\.1/24 has host bits set"):
        proxies({"WIRESPEED_PROXIES": "10.0.0.1/24"})
    with pytest.raises(InputError) as long:
        proxies({"WIRESPEED_PROXIES": "x" * 5000})

    assert "x" * SHOWN in str(long.value)
    assert "x" * (SHOWN + 1) not in str(long.value)


@pytest.mark.parametrize(
    ("peer", "kind", "proto", "seen"),
    [
        ("10.0.0.5", "http", "https", (("198.51.100.7", 4), "https")),
        ("10.0.0.5", "websocket", "https", (("198.51.100.7", 4), "wss")),
        ("10.0.0.5", "http", "javascript", (("198.51.100.7", 4), "http")),
        ("203.0.113.9", "http", "https", (("203.0.113.9", 4), "http")),
    ],
)
def test_address_and_scheme_are_the_clients_behind_a_trusted_proxy_alone(peer, kind, proto, seen):
    """What stands behind sees one or the other, for requests and websockets."""
    scopes = []

    async def app(scope, _receive, _send):
        scopes.append((scope["client"], scope["scheme"]))

    headers = [(b"x-forwarded-for", b"198.51.100.7"), (b"x-forwarded-proto", proto.encode())]
    scope = {"type": kind, "client": (peer, 4), "scheme": "http", "headers": headers}
    asyncio.run(Clients(app, INSIDE)(scope, None, None))

    assert scopes == [seen]


def test_uvicorn_believes_nobody_on_its_own(monkeypatch):
    """By default it takes any address that a program on this machine writes for the client's."""
    monkeypatch.setattr(uvicorn.config, "ProxyHeadersMiddleware", uvicorn.config.ProxyHeadersMiddleware)
    no_proxy.forbid()

    async def app(_scope, _receive, _send):
        pass

    config = uvicorn.Config(app, interface="asgi3")
    config.load()
    assert config.loaded_app is app
