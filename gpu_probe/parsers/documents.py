"""JSON from outside: bounded before it is parsed, mended where the file was cut short."""

import json
import re
from dataclasses import dataclass
from typing import Any

from gpu_probe.parsers.limits import JSON_MOST_BYTES, JSON_MOST_VALUES
from gpu_probe.parsers.problem import refuse

_BRACKET_OR_QUOTE = re.compile(r'["{}\[\]]')
_CLOSER = {"{": "}", "[": "]"}
_NESTING_MOST = 60
_BLANK = re.compile(r"\s*")
_DECODER = json.JSONDecoder()
DOCUMENTS_MOST = 1000


def looks_like_json(data: bytes) -> bool:
    """Whether a file begins as a JSON object or list of objects."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"{") or re.match(rb"\[\s*\{", head) is not None


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON value of a file; ``mended`` where its end was missing and had to be closed."""

    value: Any
    mended: bool = False


def parse(text: str) -> list[Document]:
    """
    The values of a JSON text.

    Several values may stand one after the other, as where a tool appends its reports to one file.

    Raises:
        ParseError: No JSON, or more of it than any measurement needs.
    """
    if len(text) > JSON_MOST_BYTES or _value_count(text) > JSON_MOST_VALUES:
        refuse(f"JSON of more than {JSON_MOST_BYTES // 1_000_000} MB or {JSON_MOST_VALUES:,} values")
    documents: list[Document] = []
    position = _skip_blanks(text, 0)
    try:
        while position < len(text) and len(documents) < DOCUMENTS_MOST:
            value, end = _DECODER.raw_decode(text, position)
            documents.append(Document(value))
            position = _skip_blanks(text, end)
    except RecursionError:
        refuse("JSON nested too deeply")
    except ValueError as error:
        documents += _mended_rest(text[position:], str(error), required=not documents)
    return documents or refuse("not valid JSON: nothing in it")


def _skip_blanks(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return position if match is None else match.end()


def _mended_rest(text: str, problem: str, *, required: bool) -> list[Document]:
    """What can be mended of a text that is no whole JSON value."""
    mended = mend(text)
    try:
        if mended:
            return [Document(json.loads(mended), mended=True)]
    except (ValueError, RecursionError):
        mended = ""
    return refuse(f"not valid JSON: {problem}") if required else []


def _value_count(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def mend(text: str) -> str:
    """A JSON text cut back to its last complete object or list, and closed; empty if there is none."""
    open_brackets: list[str] = []
    last_complete = ""
    position = 0
    while (match := _BRACKET_OR_QUOTE.search(text, position)) is not None:
        bracket, position = match.group(), match.end()
        if bracket == '"':
            position = _end_of_text(text, position)
            if position < 0:
                break
        elif bracket in _CLOSER:
            open_brackets.append(bracket)
            if len(open_brackets) > _NESTING_MOST:
                return ""
        elif not open_brackets or _CLOSER[open_brackets.pop()] != bracket:
            return ""
        else:
            last_complete = f"{position} {''.join(open_brackets)}"
            if not open_brackets:
                break
    if not last_complete:
        return ""
    end, _, pending = last_complete.partition(" ")
    return text[: int(end)] + "".join(_CLOSER[bracket] for bracket in reversed(pending))


def _end_of_text(text: str, start: int) -> int:
    """Where the JSON string that began before ``start`` ends, -1 if it does not."""
    position = start
    while (quote := text.find('"', position)) >= 0:
        slash = quote
        while slash > position and text[slash - 1] == "\\":
            slash -= 1
        if (quote - slash) % 2 == 0:
            return quote + 1
        position = quote + 1
    return -1
