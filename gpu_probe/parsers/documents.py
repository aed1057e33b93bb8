"""JSON from outside: bounded before it is parsed, mended where the file was cut short."""

import json
import re
from typing import Any

from gpu_probe.parsers.limits import JSON_MOST_BYTES, JSON_MOST_VALUES
from gpu_probe.parsers.problem import refuse

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
_CLOSER = {"{": "}", "[": "]"}
_DEEPEST = 60


def looks_like_json(data: bytes) -> bool:
    """Whether a file begins as a JSON object or list of objects."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"{") or re.match(rb"\[\s*\{", head) is not None


def parse(text: str) -> tuple[Any, bool]:
    """
    The value of a JSON text, and whether it had to be mended because its end is missing.

    Raises:
        ParseError: No JSON, or more of it than any measurement needs.
    """
    if len(text) > JSON_MOST_BYTES or _values(text) > JSON_MOST_VALUES:
        refuse(f"JSON of more than {JSON_MOST_BYTES // 1_000_000} MB or {JSON_MOST_VALUES:,} values")
    try:
        return json.loads(text), False
    except RecursionError:
        refuse("JSON nested too deeply")
    except ValueError as error:
        first = str(error)
    mended = mend(text)
    try:
        return (json.loads(mended), True) if mended else refuse(f"not valid JSON: {first}")
    except (ValueError, RecursionError):
        return refuse(f"not valid JSON: {first}")


def _values(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def mend(text: str) -> str:
    """A JSON text cut back to its last complete object or list, and closed; empty if there is none."""
    open_ones: list[str] = []
    best = ""
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in _CLOSER:
            open_ones.append(token)
            if len(open_ones) > _DEEPEST:
                return ""
        elif token in ("}", "]"):
            if not open_ones or _CLOSER[open_ones.pop()] != token:
                return ""
            best = f"{match.end()} {''.join(open_ones)}"
            if not open_ones:
                break
    if not best:
        return ""
    end, _, pending = best.partition(" ")
    return text[: int(end)] + "".join(_CLOSER[token] for token in reversed(pending))
