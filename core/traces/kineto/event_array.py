"""The events of a Chrome trace one text at a time, without holding or parsing the whole file."""

import json
import re
from collections.abc import Iterator

from core.errors import InputError
from core.traces.json_text import Json, mapping
from core.traces.unpacking import Source

CHUNK_BYTES = 4_000_000
EVENT_MOST_BYTES = 32_000_000
HEADER_MOST_BYTES = 64_000_000
TAIL_PIECES = 20_000

_BEGIN = re.compile(rb'"traceEvents"\s*:\s*\[\s*')
_BARE = re.compile(rb"\s*\[\s*(?=[{\]])")
_BETWEEN = re.compile(rb'\}\s*,\s*\{\s*(?=")')
_END = re.compile(rb"\}\s*(?:,\s*)?\]\s*(?=[,}])")
_BARE_END = re.compile(rb"\}\s*,?\s*\]?\s*,?\s*$")
_ENDS_TRIED = 200


class EventArray:
    """
    The events of one file as bodies of JSON objects: text without the outer braces.

    A C++ name may hold ``}, {`` but not before a quote, so cutting between events needs no parser; a
    body that is cut too short all the same is mended by ``event``.

    Args:
        source: The file; the array may begin it or follow ``traceEvents``.

    Attributes:
        header: The file's other keys, those after the events only when all are read.
    """

    def __init__(self, source: Source) -> None:
        self._name = source.name
        self._source = source
        self.header: Json = {}
        self._rest, self._bare = self._begin()

    def batches(self) -> Iterator[list[bytes]]:
        """
        All bodies, some thousands at a time.

        Raises:
            InputError: The file is cut short, or no trace.
        """
        if self._rest.startswith(b"]"):
            self._finish([self._rest], empty=True)
            return
        rest = self._rest.removeprefix(b"{")
        tail: list[bytes] = []
        while chunk := self._source.read(CHUNK_BYTES):
            bodies = _BETWEEN.split(rest + chunk)
            rest = bodies.pop()
            if len(rest) > EVENT_MOST_BYTES:
                message = f"{self._name}: an event of more than {EVENT_MOST_BYTES // 1_000_000} MB"
                raise InputError(message)
            tail = (tail + bodies)[-TAIL_PIECES:]
            yield bodies
        bodies = _BETWEEN.split(rest)
        yield bodies[:-1]
        yield self._finish([*(tail + bodies)[-TAIL_PIECES:]])

    def _begin(self) -> tuple[bytes, bool]:
        data = self._source.read(CHUNK_BYTES)
        bare = _BARE.match(data)
        if bare:
            return data[bare.end() :], True
        while (begin := _BEGIN.search(data)) is None or begin.end() == len(data):
            more = self._source.read(CHUNK_BYTES)
            if not more or len(data) > HEADER_MOST_BYTES:
                message = f"{self._name}: no traceEvents, or cut short before them"
                raise InputError(message)
            data += more
        before = data[: begin.start()].decode("utf-8", "replace").strip().removesuffix(",")
        self.header = _object(before + "}") or {}
        return data[begin.end() :], False

    def _finish(self, tail: list[bytes], *, empty: bool = False) -> list[bytes]:
        """The last event's body, with the keys after the array added to the header."""
        text = b"},{".join(tail)
        if empty:
            text = b"}" + text
        elif self._bare and _BARE_END.search(text):
            return [_BARE_END.sub(b"", tail[-1])]
        for count, end in enumerate(_END.finditer(text)):
            after = _object("{" + text[end.end() :].decode("utf-8", "replace").lstrip().removeprefix(","))
            if after is not None:
                self.header |= after
                return [] if empty else [text[: end.start()].rsplit(b"},{", 1)[-1]]
            if count >= _ENDS_TRIED:
                break
        message = f"{self._name}: the trace is cut short"
        raise InputError(message)


def event(bodies: list[bytes], index: int, name: str) -> Json:
    """
    One event's content; a body that was cut inside is joined with those that follow.

    Raises:
        InputError: It is no JSON.
    """
    for count in range(1, 9):
        joined = b"},{".join(bodies[index : index + count]).decode("utf-8", "replace")
        value = _object("{" + joined + "}")
        if value is not None:
            return value
    message = f"{name}: an event is not JSON"
    raise InputError(message)


def _object(text: str) -> Json | None:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return mapping(value)
