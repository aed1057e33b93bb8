"""A session of a Streamlit server over its websocket, as a browser holds it, and what an edit costs the server."""

import time
from contextlib import ExitStack
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

from tests.bench.window import ENDED, Window
from tests.server import websocket

SCHEDULED = 2
PAUSE_S, STILL_MS = 0.05, 1.0
LIMIT_S = 120.0


class Edit(NamedTuple):
    """
    Milliseconds of the server's processor until headline and end, bytes sent, and milliseconds by the clock.

    Without a headline, as where an edit has no answer, its milliseconds are not a number.
    """

    headline_ms: float
    all_ms: float
    sent_bytes: int
    wait_ms: float


def processor_ms(process):
    """Milliseconds of processor time of a process; Linux numbers the clock of each by its id."""
    return 1e3 * time.clock_gettime((~process << 3) | SCHEDULED)


def rest(process):
    """The same once it has stopped growing."""
    before = 0.0
    while (now := processor_ms(process)) - before > STILL_MS:
        before = now
        time.sleep(PAUSE_S)
    return now


@dataclass
class Session:
    """
    A window at a page.

    Attributes:
        address: Of the server, as ``http://127.0.0.1:8501``.
        page: Its name in the address.
        process: Id of the server's process.
        first_ms: Processor time of the server for its first answer.
    """

    address: str
    page: str
    process: int
    first_ms: float = 0.0

    def __enter__(self):
        self.window = Window(self.page)
        self._stack = ExitStack()
        self.socket = self._stack.enter_context(websocket(self.address))
        start = rest(self.process)
        self._send()
        self.first_ms = rest(self.process) - start
        return self

    def __exit__(self, *_):
        self._stack.close()

    def edit(self, key, value):
        """Type a text or a number into the field of a key."""
        return self._measured({key: value})

    def go(self, page):
        """Open another page in the same window."""
        self.window.leave(page)
        return self._measured()

    def _measured(self, edited=None):
        start = rest(self.process)
        begun = time.perf_counter()
        headline, sent = self._send(edited)
        wait = 1e3 * (time.perf_counter() - begun)
        headline = headline - start if headline else nan
        return Edit(headline, rest(self.process) - start, sent, wait)

    def type(self, key, value):
        """Type it without measuring."""
        self._send({key: value})

    def _send(self, edited=None):
        """Ask, and read until the script has ended: processor time at the headline, and bytes."""
        self.socket.send(self.window.request(edited))
        headline, sent, kind = 0.0, 0, ""
        while kind != ENDED:
            data = self.socket.recv(LIMIT_S)
            sent += len(data)
            kind = self.window.read(data)
            if self.window.headline and not headline:
                headline = processor_ms(self.process)
        return headline, sent
