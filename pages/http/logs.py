"""A line a request, where it is wanted, and an id that proxy, answer and line share."""

import json
import re
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.http.counts import Metrics

HEADER = "X-Request-ID"
SWITCHING, BROKEN = 101, 500
ANSWERED = frozenset({"http.response.start", "websocket.http.response.start"})
_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
Write = Callable[[str], None]


@dataclass(slots=True)
class Entry:
    """
    What a line says of a request; the question after ``?`` and headers are never in it.

    Attributes:
        time: When it arrived, ISO 8601 in UTC.
        request_id: The proxy's or one of our own.
        address: Of the program that connected, a proxy where there is one.
        method: Of HTTP, or ``WEBSOCKET``.
        path: Without the question.
        status: Of the answer; 101 for a page's websocket, 500 where none was begun.
        bytes: Of the answer's body.
        ms: Until the last byte; for a websocket how long it was open.
    """

    time: str
    request_id: str
    address: str
    method: str
    path: str
    status: int = BROKEN
    bytes: int = 0
    ms: float = 0.0

    def text(self) -> str:
        """For people, on one line whatever the path holds."""
        path = json.dumps(self.path)[1:-1]
        return (
            f"{self.time} {self.address} {self.method} {path} {self.status} {self.ms:.1f} ms "
            f"{self.bytes} B {self.request_id}"
        )

    def json(self) -> str:
        """For programs."""
        return json.dumps(asdict(self))


def to_stderr(line: str) -> None:
    """Write a line at once."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - the server's log


class Observed:
    """
    Gives each request an id, counts it and writes its line.

    Args:
        app: What stands behind.
        metrics: Where it is counted.
        form: ``text`` or ``json``; None writes nothing.
        write: Takes a line.
    """

    def __init__(
        self, app: ASGIApp, metrics: Metrics, form: str | None = None, write: Write = to_stderr
    ) -> None:
        self.app = app
        self.metrics = metrics
        self.form = form
        self.write = write

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and watch its answer."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        entry, start = _entry(scope), time.perf_counter()
        is_websocket = scope["type"] == "websocket"

        async def watched(message: Message) -> None:
            kind = message["type"]
            if kind in ANSWERED:
                entry.status = message["status"]
                MutableHeaders(scope=message)[HEADER] = entry.request_id
            elif kind == "http.response.body":
                entry.bytes += len(message.get("body", b""))
            elif kind == "websocket.accept":
                entry.status = SWITCHING
                self.metrics.websocket(1)
            elif kind == "websocket.close" and entry.status == BROKEN:
                entry.status = 403
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - start
            entry.ms = round(seconds * 1e3, 1)
            if is_websocket and entry.status == SWITCHING:
                self.metrics.websocket(-1)
            else:
                self.metrics.request(entry.path, entry.status, seconds)
            if self.form is not None:
                self.write(entry.json() if self.form == "json" else entry.text())


def _entry(scope: Scope) -> Entry:
    sent = Headers(scope=scope).get(HEADER, "")
    client = scope.get("client")
    return Entry(
        time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        request_id=sent if _ID.fullmatch(sent) else uuid.uuid4().hex,
        address=client[0] if client else "-",
        method=scope.get("method", "WEBSOCKET"),
        path=scope["path"],
    )
