"""Prefixes that no list foresees: what stands before a tool's unmistakable lines is taken off all lines."""

import re
from collections.abc import Callable, Iterator

ANCHORS: tuple[tuple[bytes, re.Pattern[str]], ...] = (
    (b"busbw", re.compile(r"(?:(?:#[ \t]*)?(?:size|bytes)\s+(?:count|N)\s+type\s)")),
    (b"nThread", re.compile(r"(?:#?[ \t]*nThreads? \d+ nGpus \d)")),
    (b"nvbandwidth Version", re.compile(r"(?:nvbandwidth Version: \S)")),
    (b"memcpy", re.compile(r"(?:Running [a-z0-9_]*memcpy[a-z0-9_]*\.\s*$)")),
    (b"P2P=", re.compile(r"(?:(?:#[ \t]*)?(?:(?:Uni|Bi)directional )?P2P=(?:En|Dis)abled \w+ )")),
    (b"GPU0", re.compile(r"(?:GPU0\s+(?:GPU1|CPU Affinity)\b)")),
    (b"(UUID", re.compile(r"(?:GPU \d+: \S.*\(UUID)")),
)
"""Words that begin a line of a tool, each with a word that finds it quickly."""

_TRIES = 20
_AFTER = 40
_ENOUGH = 2
_LONGEST = 240
_KNOWN_MOST = 8
_ROW = "GPU0 X"
"""A line that begins in its first column, as rows of a matrix do."""
_NUMBER = re.compile(r"\d+")
_BLANKS = re.compile(r"\s+")
_BARE = re.compile(r"[\s\d.#*|`>-]*")


def learned(data: bytes, plain: Callable[[str], str], known: Callable[[str], str]) -> re.Pattern[str] | None:
    """
    A pattern for what a launcher put before the lines of this file, None where nothing is.

    Args:
        data: The file.
        plain: A line without colours.
        known: A line freed of the prefixes that are known anyway; these are not learned.
    """
    found: dict[str, None] = {}
    for word, anchor in ANCHORS:
        for at in _hits(data, word):
            text = plain(_line_at(data, at))
            match = anchor.search(text)
            before = text[: match.start()].rstrip() if match else ""
            if _BARE.fullmatch(before) or len(before) > _LONGEST or known(f"{before}{_ROW}") == _ROW:
                continue
            pattern = _general(before)
            if pattern not in found and _repeated(data, at, re.compile(pattern), plain):
                found[pattern] = None
        if len(found) >= _KNOWN_MOST:
            break
    return re.compile("|".join(sorted(found, key=len, reverse=True))) if found else None


def _hits(data: bytes, word: bytes) -> Iterator[int]:
    at = -1
    for _ in range(_TRIES):
        at = data.find(word, at + 1)
        if at < 0:
            return
        yield at


def _line_at(data: bytes, at: int) -> str:
    start = max(data.rfind(b"\n", max(0, at - 2 * _LONGEST), at) + 1, at - 2 * _LONGEST, 0)
    end = data.find(b"\n", at, at + 2000)
    return data[start : end if end >= 0 else at + 2000].decode("utf-8", "replace")


def _general(before: str) -> str:
    """The prefix with any numbers and any number of blanks."""
    parts = (_NUMBER.sub(r"\\d+", re.escape(part)) for part in _BLANKS.split(before.strip()))
    return r"\s*" + r"\s+".join(parts)


def _repeated(data: bytes, at: int, pattern: re.Pattern[str], plain: Callable[[str], str]) -> bool:
    """Whether lines after this one begin with it too."""
    count = 0
    for _ in range(_AFTER):
        at = data.find(b"\n", at) + 1
        if not at:
            return False
        count += pattern.match(plain(_line_at(data, at))) is not None
        if count >= _ENOUGH:
            return True
    return False
