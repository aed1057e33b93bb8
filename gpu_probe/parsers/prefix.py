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


def learned_prefixes(
    data: bytes, plain: Callable[[str], str], strip_known: Callable[[str], str]
) -> re.Pattern[str] | None:
    """
    A pattern for what a launcher put before the lines of this file, None where nothing is.

    Args:
        data: The file.
        plain: A line without colours.
        strip_known: A line freed of the prefixes that are known anyway; these are not learned.
    """
    patterns: dict[str, None] = {}
    for anchor_word, anchor in ANCHORS:
        for position in _hits(data, anchor_word):
            text = plain(_line_at(data, position))
            match = anchor.search(text)
            prefix = text[: match.start()].rstrip() if match else ""
            if _BARE.fullmatch(prefix) or len(prefix) > _LONGEST or strip_known(f"{prefix}{_ROW}") == _ROW:
                continue
            pattern = _general(prefix)
            if pattern not in patterns and _repeated(data, position, re.compile(pattern), plain):
                patterns[pattern] = None
        if len(patterns) >= _KNOWN_MOST:
            break
    return re.compile("|".join(sorted(patterns, key=len, reverse=True))) if patterns else None


def _hits(data: bytes, anchor_word: bytes) -> Iterator[int]:
    position = -1
    for _ in range(_TRIES):
        position = data.find(anchor_word, position + 1)
        if position < 0:
            return
        yield position


def _line_at(data: bytes, position: int) -> str:
    start = max(data.rfind(b"\n", max(0, position - 2 * _LONGEST), position) + 1, position - 2 * _LONGEST, 0)
    end = data.find(b"\n", position, position + 2000)
    return data[start : end if end >= 0 else position + 2000].decode("utf-8", "replace")


def _general(prefix: str) -> str:
    """The prefix with any numbers and any number of blanks."""
    parts = (_NUMBER.sub(r"\\d+", re.escape(part)) for part in _BLANKS.split(prefix.strip()))
    return r"\s*" + r"\s+".join(parts)


def _repeated(data: bytes, position: int, pattern: re.Pattern[str], plain: Callable[[str], str]) -> bool:
    """Whether lines after this one begin with it too."""
    count = 0
    for _ in range(_AFTER):
        position = data.find(b"\n", position) + 1
        if not position:
            return False
        count += pattern.match(plain(_line_at(data, position))) is not None
        if count >= _ENOUGH:
            return True
    return False
