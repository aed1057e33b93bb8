"""Which process serves a connection, by the first lines that it sends."""

import re
import zlib

COOKIE = "wirespeed_worker"
PROGRAMS = ("/api/", "/mcp", "/metrics", "/healthz", "/readyz")
"""Paths that programs ask for: they keep no cookie, and limits by address are counted in one process."""
_PATH = re.compile(rb"[A-Z]+ (\S+) ")
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
    if match is None or not is_programs(match[1].decode("latin-1")):
        return None
    return zlib.crc32(address.encode()) % count
