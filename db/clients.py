"""From which address a request really comes: a proxy is believed only where WIRESPEED_PROXIES names it."""

import ipaddress
import os
from collections.abc import Mapping, Sequence

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from core.errors import InputError
from db.hosts import address
from db.setting_values import SHOWN

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
MOST_HOPS = 50
SITE_BITS = 64
"""Of an address of version 6: those of the network that a site or a home is given."""
SCHEMES = {"http": {"http": "http", "websocket": "ws"}, "https": {"http": "https", "websocket": "wss"}}
SETTING = "WIRESPEED_PROXIES"


def proxies(environment: Mapping[str, str] = os.environ) -> tuple[Network, ...]:
    """
    The networks of WIRESPEED_PROXIES; empty where it is not set.

    Raises:
        InputError: An entry is no address and no network, or means everybody.
    """
    networks = []
    for entry in filter(None, map(str.strip, environment.get(SETTING, "").split(","))):
        try:
            network = ipaddress.ip_network(entry)
        except ValueError as problem:
            reason = str(problem) if len(entry) <= SHOWN else f"{entry[:SHOWN]!r}"
            message = f"{SETTING}: addresses or networks such as 10.0.0.0/24, with commas: {reason}"
            raise InputError(message) from None
        if network.prefixlen == 0:
            message = f"{SETTING}: {entry} would let everybody name any address"
            raise InputError(message)
        networks.append(network)
    return tuple(networks)


def client_address(peer: str, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """
    The address of the client whom a request comes from.

    Args:
        peer: Who connected.
        forwarded_for: The X-Forwarded-For headers as sent; each proxy adds at the end whom it was asked by.
        trusted: Proxies that may name another address.

    Returns:
        Read from the end, the first address that is no trusted proxy; whoever named something that is no
        address stands for it.
    """
    client = peer
    hops = ",".join(forwarded_for).split(",") if forwarded_for else []
    for hop in reversed(hops[-MOST_HOPS:]):
        if not _is_trusted(client, trusted):
            break
        named = address(hop.strip())
        if named is None:
            break
        client = str(named)
    return client


def counted_as(client: str) -> str:
    """
    Under what an address is counted where tries are limited: of version 6 its network.

    Whoever has one address of version 6 has all 2^64 of its network.
    """
    number = address(client)
    if not isinstance(number, ipaddress.IPv6Address) or number.is_loopback:
        return client if number is None else str(number)
    return str(ipaddress.ip_network((number, SITE_BITS), strict=False))


def _is_trusted(name: str, trusted: Sequence[Network]) -> bool:
    number = address(name)
    return number is not None and any(number in network for network in trusted)


class Clients:
    """
    Puts the client's address, and the scheme of its own request, in the place of a trusted proxy's.

    Args:
        app: What stands behind.
        trusted: Networks of the proxies.
    """

    def __init__(self, app: ASGIApp, trusted: Sequence[Network]) -> None:
        self.app = app
        self.trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as the client's."""
        peer = scope.get("client")
        if self.trusted and peer and _is_trusted(peer[0], self.trusted):
            headers = Headers(scope=scope)
            host = client_address(peer[0], headers.getlist("x-forwarded-for"), self.trusted)
            schemes = SCHEMES.get(headers.get("x-forwarded-proto", "").strip().lower(), {})
            scheme = schemes.get(scope["type"], scope.get("scheme"))
            scope = {**scope, "client": (host, peer[1]), "scheme": scheme}
        await self.app(scope, receive, send)
