"""Which process serves a connection, by the first lines that it sends."""

import re
import zlib
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from db.clients import Network, client_address, counted_as

COOKIE = "wirespeed_worker"
PROGRAMS = ("/api/", "/mcp", "/metrics", "/healthz", "/readyz")
"""Paths that programs ask for: their cookie counts for nothing, so that limits by address are of one process."""
_PATH = re.compile(rb"\s*[A-Z-]+ (\S+) ")
_FORWARDED = re.compile(rb"\r\nx-forwarded-for:([^\r\n]*)", re.IGNORECASE)
_NUMBER = re.compile(rb"\r\ncookie:[^\r]*?\b" + COOKIE.encode() + rb"=(\d{1,4})\b", re.IGNORECASE)


def by_cookie(head: bytes, count: int) -> int | None:
    """The number in the browser's cookie; None where there is none or no such process."""
    match = _NUMBER.search(head)
    number = int(match[1]) if match else count
    return number if number < count else None


def is_programs(path: str) -> bool:
    """Whether a program asks, not a browser that keeps a page open."""
    return path.startswith(PROGRAMS)


def by_address(head: bytes, address: str, count: int, trusted: Sequence[Network] = ()) -> int | None:
    """
    For programs the same process for the same address; None for browsers.

    Args:
        head: What the connection sends first; what follows the header lines names nobody.
        address: Where it comes from; a trusted proxy's stands for the client that it names.
        count: Of processes.
        trusted: Networks of proxies.
    """
    match = _PATH.match(head)
    if match is None or not is_programs(_path(match[1].decode("latin-1"))):
        return None
    lines, _, _ = head.lstrip().partition(b"\r\n\r\n")
    named = [hops.decode("latin-1") for hops in _FORWARDED.findall(lines)]
    client = counted_as(client_address(address, named, trusted))
    return zlib.crc32(client.encode()) % count


def _path(target: str) -> str:
    """The path that the server will see: without a host before it, its %-signs read."""
    try:
        return unquote(urlsplit(target).path if not target.startswith("/") else target)
    except ValueError:
        return target
