"""The table of nccl-tests: columns are decided by the header line, rows are read by them."""

import math
import re
from dataclasses import dataclass

from gpu_probe.parsers.lines import Line

_TIMES = ("time", "cputime")
_RENAMED = {"bytes": "size", "N": "count", "op": "redop", "res": "error"}
_MILLI = 1000.0
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_TIMESTAMP_TOKENS = 2
_SIZE_MOST = 10**18
_FIGURE_MOST = 1e14
_ABSENT = frozenset({"N/A", "n/a", "nan", "-nan", "inf", "-"})
"""Words for a figure that the tool could not make: no time, no rate."""
_NULL_BODY = 24
"""Blanks after the root column that show a row without out-of-place figures."""


@dataclass(frozen=True, slots=True)
class Half:
    """
    One placement's figures in a row: microseconds and GB/s.

    Attributes:
        rounding_us: Half of the last digit that a time is printed with.
        fastest_us, slowest_us: Of the single iterations, where they are timed one by one.
    """

    time_us: float
    algbw: float | None
    busbw: float | None
    wrong: int | None
    rounding_us: float = 0.0051
    fastest_us: float | None = None
    slowest_us: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; ``halves`` holds (placement, figures)."""

    line: int
    size_bytes: int
    dtype: str
    redop: str | None
    root: str | None
    halves: tuple[tuple[str, Half], ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """
    What the header line promised.

    Attributes:
        lead: Columns before the first time: size, count, type, then redop and root if printed.
        halves: Column names of each placement's part.
        places: The placement that each part stands for.
        stamped: Whether each row ends with a date and a time of day.
        milliseconds: Whether times are such: NCCL 1 and the first nccl-tests, headed ``bytes N``.
    """

    lead: tuple[str, ...]
    halves: tuple[tuple[str, ...], ...]
    places: tuple[str, ...]
    stamped: bool
    milliseconds: bool = False

    @property
    def lengths(self) -> tuple[int, ...]:
        """Token counts of a complete row: all parts, or only the first."""
        first = len(self.lead) + len(self.halves[0])
        return (first,) if len(self.halves) == 1 else (first + len(self.halves[1]), first)


def is_header(text: str) -> bool:
    """Whether a line heads the table, with or without its ``#``."""
    return (
        "busbw" in text
        and text.lstrip(" #")[:5] in ("size ", "bytes")
        and "algbw" in text
        and "|" not in text
    )


def columns_of(text: str, placements: str = "") -> Columns | None:
    """The columns that a header line names; ``placements`` is the line above it."""
    words = text.replace("#wrong", "wrong").replace("#", " ").split()
    first = words[:2] == ["bytes", "N"]
    words = [_RENAMED.get(word, word) for word in words] if first else words
    stamped = bool(words) and words[-1] == "timestamp"
    words = words[:-1] if stamped else words
    starts = [i for i, word in enumerate(words) if word in _TIMES]
    if not starts or words[0] != "size" or "type" not in words[: starts[0]] or len(starts) > 2:  # noqa: PLR2004
        return None
    ends = [*starts[1:], len(words)]
    halves = tuple(tuple(words[a:b]) for a, b in zip(starts, ends, strict=True))
    if any("algbw" not in half or "busbw" not in half for half in halves):
        return None
    alone = len(halves) == 1 and "in-place" in placements and "out-of-place" not in placements
    places = ("in-place",) if alone else ("out-of-place", "in-place")[: len(halves)]
    return Columns(tuple(words[: starts[0]]), halves, places, stamped, first)


def tokens_of(line: Line, columns: Columns) -> list[str]:
    """The words of a table line, freed of a rank label between columns and of a time stamp."""
    text = line.text
    if line.label and line.label in text:
        text = text.replace(line.label, " ")
    words = text.split()
    if columns.stamped and len(words) > _TIMESTAMP_TOKENS and _DATE.fullmatch(words[-2]):
        words = words[:-_TIMESTAMP_TOKENS]
    return words


def row_of(line: Line, words: list[str], columns: Columns) -> Row | None:
    """A complete row, None where the words are none."""
    if len(words) not in columns.lengths:
        return None
    lead = dict(zip(columns.lead, words, strict=False))
    size, kind = _whole(lead["size"]), lead["type"]
    if size is None or not kind[:1].isalpha() or _whole(lead.get("count", "0")) is None:
        return None
    halves = _halves(line, words, columns)
    if halves is None:
        return None
    return Row(line.number, size, kind, lead.get("redop"), lead.get("root"), halves)


def _halves(line: Line, words: list[str], columns: Columns) -> tuple[tuple[str, Half], ...] | None:
    found: list[tuple[str, Half]] = []
    at = len(columns.lead)
    parts = list(zip(columns.places, columns.halves, strict=True))
    if len(parts) > 1 and len(words) < columns.lengths[0]:
        parts = parts[1:] if _only_in_place(line.text, words, at) else parts[:1]
    for place, names in parts:
        named = dict(zip(names, words[at : at + len(names)], strict=True))
        half = _half(named, columns)
        if half is not None:
            found.append((place, half))
        elif not _ABSENT & {named.get("time", named.get("cputime")), named["algbw"], named["busbw"]}:
            return None
        at += len(names)
    return tuple(found) or None


def _only_in_place(text: str, words: list[str], lead: int) -> bool:
    end = 0
    for word in words[:lead]:
        end = text.find(word, end) + len(word)
    return len(text[end:]) - len(text[end:].lstrip()) > _NULL_BODY


def _half(named: dict[str, str], columns: Columns) -> Half | None:
    time_us = real(named.get("time", named.get("cputime", "")))
    algbw, busbw = real(named["algbw"]), real(named["busbw"])
    if time_us is None or algbw is None or busbw is None:
        return None
    wrong = wrong_of(named.get("wrong"))
    if columns.milliseconds:
        return Half(time_us * _MILLI, algbw, busbw, wrong, rounding_us=0.51)
    fastest, slowest = (real(named.get(name, "")) for name in ("i_min", "i_max"))
    return Half(time_us, algbw, busbw, wrong, fastest_us=fastest, slowest_us=slowest)


def wrong_of(word: str | None) -> int | None:
    """The count of wrong values; None for ``N/A`` and where the tool printed an error size."""
    value = real(word) if word is not None else None
    return round(value) if value is not None and value < _SIZE_MOST else None


def real(word: str) -> float | None:
    """A printed number that can be a measurement: not negative and not astronomic."""
    if len(word) > 40 or "_" in word:  # noqa: PLR2004 (no printed number is longer)
        return None
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 <= value <= _FIGURE_MOST else None


def _whole(word: str) -> int | None:
    if not word.isascii() or not word.isdigit() or len(word) > 19:  # noqa: PLR2004 (64-bit)
        return None
    value = int(word)
    return value if value <= _SIZE_MOST else None
