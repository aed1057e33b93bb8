"""Sessions that edit, each in its own rhythm, and what each edit waited."""

import asyncio
import random
import time
from dataclasses import dataclass, field

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.bench.window import ENDED, PROTOCOL, STREAM, Window

ANSWER_LIMIT_S = 60.0


@dataclass
class Waits:
    """Seconds from each edit to its headline and to its end, and what went wrong, a line each."""

    headline_s: list[float] = field(default_factory=list)
    end_s: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Session:
    """
    A visitor with a page open.

    Args:
        address: Of the server, as ``http://127.0.0.1:8501``.
        field: Of which page, and what is typed.
        number: Another number types other values.
    """

    def __init__(self, address, field, number):
        self.address = address
        self.field = field
        self.number = number
        self.window = Window(field.page)

    async def __aenter__(self):
        self._connecting = connect(
            f"{self.address.replace('http', 'ws')}{STREAM}",
            subprotocols=[PROTOCOL],
            max_size=None,
            compression=None,
            open_timeout=ANSWER_LIMIT_S,
            ping_interval=None,
        )
        self.socket = await self._connecting.__aenter__()
        await self.ask()
        return self

    async def __aexit__(self, *reason):
        await self._connecting.__aexit__(*reason)

    async def edit(self, turn):
        """Type a value that no other session types; seconds to the headline and to the end."""
        return await self.ask({self.field.key: self.field.value(self.number + turn)})

    async def ask(self, edited=None):
        """Ask for a run and read all of it."""
        start, headline = time.perf_counter(), None
        await self.socket.send(self.window.request(edited))
        kind = ""
        while kind != ENDED:
            kind = self.window.read(await asyncio.wait_for(self.socket.recv(), ANSWER_LIMIT_S))
            if self.window.headline and headline is None:
                headline = time.perf_counter() - start
        end = time.perf_counter() - start
        return end if headline is None else headline, end


async def visitor(session, waits, *, every_s, end):
    """Edit in a rhythm until the end; a visitor who still waits types when the answer is there."""
    turn = 0
    due = time.perf_counter() + random.uniform(0, every_s)  # noqa: S311 - spreads the visitors
    while due < end:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        try:
            headline, total = await session.edit(turn)
        except (OSError, WebSocketException, TimeoutError, KeyError) as problem:
            # KeyError: the page does not show its field any more
            waits.errors.append(f"{session.field.page}: {type(problem).__name__} {problem}")
            return
        if session.window.failed:
            waits.errors.append(f"{session.field.page}: {session.window.failed}")
        waits.headline_s.append(headline)
        waits.end_s.append(total)
        turn += 1
        due = max(due + every_s, time.perf_counter())
