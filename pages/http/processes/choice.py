"""Which process serves a connection, by the first lines that it sends."""

import re
import zlib
from urllib.parse import unquote, urlsplit

COOKIE = "wirespeed_worker"
PROGRAMS = ("/api/", "/mcp", "/metrics", "/healthz", "/readyz")
"""Paths that programs ask for: their cookie counts for nothing, so that limits by address are of one process."""
_PATH = re.compile(rb"\s*[A-Z-]+ (\S+) ")
_NUMBER = re.compile(rb"\r\ncookie:[^\r]*?\b" + COOKIE.encode() + rb"=(\d{1,4})\b", re.IGNORECASE)


def by_cookie(head: bytes, count: int) -> int | None:
    """The number in the browser's cookie; None where there is none or no such process."""
    match = _NUMBER.search(head)
    number = int(match[1]) if match else count
    return number if number < count else None


def is_programs(path: str) -> bool:
    """Whether a program asks, not a browser that keeps a page open."""
    return path.startswith(PROGRAMS)


def by_address(head: bytes, address: str, count: int) -> int | None:
    """For programs the same process for the same address; None for browsers."""
    match = _PATH.match(head)
    if match is None or not is_programs(_path(match[1].decode("latin-1"))):
        return None
    return zlib.crc32(address.encode()) % count


def _path(target: str) -> str:
    """The path that the server will see: without a host before it, its %-signs read."""
    try:
        return unquote(urlsplit(target).path if not target.startswith("/") else target)
    except ValueError:
        return target
