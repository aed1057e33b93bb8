"""JSON from outside: bounded before it is parsed, mended where the file was cut short."""

import json
import re
from typing import Any

from gpu_probe.parsers.limits import JSON_MOST_BYTES, JSON_MOST_VALUES
from gpu_probe.parsers.problem import refuse

_MARK = re.compile(r'["{}\[\]]')
_CLOSER = {"{": "}", "[": "]"}
_DEEPEST = 60
_BLANK = re.compile(r"\s*")
_DECODER = json.JSONDecoder()
DOCUMENTS_MOST = 1000


def looks_like_json(data: bytes) -> bool:
    """Whether a file begins as a JSON object or list of objects."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"{") or re.match(rb"\[\s*\{", head) is not None


def parse(text: str) -> list[tuple[Any, bool]]:
    """
    The values of a JSON text, and of each whether it had to be mended because its end is missing.

    Several values may stand one after the other, as where a tool appends its reports to one file.

    Raises:
        ParseError: No JSON, or more of it than any measurement needs.
    """
    if len(text) > JSON_MOST_BYTES or _values(text) > JSON_MOST_VALUES:
        refuse(f"JSON of more than {JSON_MOST_BYTES // 1_000_000} MB or {JSON_MOST_VALUES:,} values")
    found: list[tuple[Any, bool]] = []
    at = 0
    try:
        while (at := _BLANK.match(text, at).end()) < len(text) and len(found) < DOCUMENTS_MOST:  # type: ignore[union-attr]
            value, at = _DECODER.raw_decode(text, at)
            found.append((value, False))
    except RecursionError:
        refuse("JSON nested too deeply")
    except ValueError as error:
        found += _rest(text[at:], str(error), needed=not found)
    return found or refuse("not valid JSON: nothing in it")


def _rest(text: str, problem: str, *, needed: bool) -> list[tuple[Any, bool]]:
    """What can be mended of a text that is no whole JSON value."""
    mended = mend(text)
    try:
        if mended:
            return [(json.loads(mended), True)]
    except (ValueError, RecursionError):
        mended = ""
    return refuse(f"not valid JSON: {problem}") if needed else []


def _values(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def mend(text: str) -> str:
    """A JSON text cut back to its last complete object or list, and closed; empty if there is none."""
    open_ones: list[str] = []
    best = ""
    at = 0
    while (match := _MARK.search(text, at)) is not None:
        mark, at = match.group(), match.end()
        if mark == '"':
            at = _end_of_text(text, at)
            if at < 0:
                break
        elif mark in _CLOSER:
            open_ones.append(mark)
            if len(open_ones) > _DEEPEST:
                return ""
        elif not open_ones or _CLOSER[open_ones.pop()] != mark:
            return ""
        else:
            best = f"{at} {''.join(open_ones)}"
            if not open_ones:
                break
    if not best:
        return ""
    end, _, pending = best.partition(" ")
    return text[: int(end)] + "".join(_CLOSER[mark] for mark in reversed(pending))


def _end_of_text(text: str, start: int) -> int:
    """Where the JSON string that began before ``start`` ends, -1 if it does not."""
    at = start
    while (quote := text.find('"', at)) >= 0:
        slash = quote
        while slash > at and text[slash - 1] == "\\":
            slash -= 1
        if (quote - slash) % 2 == 0:
            return quote + 1
        at = quote + 1
    return -1
