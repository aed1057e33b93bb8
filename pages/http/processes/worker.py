"""One of several serving processes: its connections come from the process that listens."""

import os
import socket
import sys
from pathlib import Path
from typing import NoReturn

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web import bootstrap
from streamlit.web.server.starlette import starlette_server

from db.access import is_forwarded
from pages.http.processes.choice import COOKIE, is_programs
from pages.http.processes.front import CHANNEL, NUMBER
from pages.http.processes.passing import Incoming

ROOT = Path(__file__).resolve().parents[3]


def number() -> int | None:
    """Our place among the workers; None where this process listens itself."""
    text = os.environ.get(NUMBER, "")
    return int(text) if text.isdecimal() else None


def become_front() -> NoReturn:
    """Replace this process by the one that listens and starts the workers."""
    os.chdir(ROOT)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    os.execv(sys.executable, [sys.executable, "-m", "pages.http.processes"])  # noqa: S606 - our own interpreter


def listen_to_front() -> None:
    """From now on Streamlit's server takes its connections from the process that listens."""
    channel = int(os.environ[CHANNEL])

    def incoming(
        server_address: str, bind_address: str, port: int, backlog: int
    ) -> tuple[socket.socket, str]:
        del server_address, port, backlog
        return Incoming(channel), bind_address

    starlette_server._bind_server_socket = incoming  # noqa: SLF001
    if number() != 0:
        bootstrap._print_url = lambda *_, **__: None  # noqa: SLF001


class Sticky:
    """
    Tells each browser by a cookie which worker keeps its pages.

    A proxy may send requests of several browsers over one connection, which lies with one worker: behind one,
    a connection serves a single request.

    Args:
        app: What stands behind.
        worker: Our place among the workers; None where there is one process.
    """

    def __init__(self, app: ASGIApp, worker: int | None) -> None:
        self.app = app
        self.worker = worker

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; the answer carries the cookie."""
        if self.worker is None or scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        named = f"{COOKIE}={self.worker}"
        known = is_programs(scope["path"]) or named in headers.get("cookie", "").replace(" ", "").split(";")

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                if not known:
                    answered.append("set-cookie", f"{named}; Path=/; HttpOnly; SameSite=Lax")
                if is_forwarded(headers):
                    answered["connection"] = "close"
            await send(message)

        await self.app(scope, receive, marked)
