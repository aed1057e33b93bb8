"""The process that listens: it reads who comes, unseen, and hands each connection to a worker."""

import asyncio
import itertools
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

from db.clients import Network
from pages.http.processes.choice import by_address, by_cookie
from pages.http.processes.passing import hand_over

HEAD_BYTES = 16_384
HEAD_LIMIT_S = 10.0
PARTIAL_S = 0.02
MOST_WAITING = 1000
CHANNEL_LIMIT_S = 1.0
RESTART_S = 1.0
STOP_LIMIT_S = 15.0
NUMBER, CHANNEL = "_WIRESPEED_WORKER", "_WIRESPEED_CHANNEL"


class Worker:
    """
    One process that serves, started again when it ends.

    Args:
        number: Its place among them.
        command: What starts it.
        environment: Of the process, beside its number and channel.
    """

    def __init__(self, number: int, command: tuple[str, ...], environment: dict[str, str]) -> None:
        self._number = number
        self._command = command
        self._environment = environment
        self._channel: socket.socket | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._stopping = False

    async def run(self) -> int:
        """Keep it running until ``stop``; a worker that fails before it has served ends the server: its status."""
        while True:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            ours.settimeout(CHANNEL_LIMIT_S)
            environment = {**self._environment, NUMBER: str(self._number), CHANNEL: str(theirs.fileno())}
            self._process = await asyncio.create_subprocess_exec(
                *self._command, env=environment, pass_fds=[theirs.fileno()]
            )
            theirs.close()
            self._channel = ours
            status = await self._process.wait()
            ours.close()
            if self._stopping or status > 0:
                return status
            await asyncio.sleep(RESTART_S)

    def take(self, connection: socket.socket) -> bool:
        """Hand a connection over; False where the process is not there."""
        if self._channel is None:
            return False
        try:
            hand_over(self._channel, connection)
        except OSError:
            return False
        return True

    async def stop(self) -> None:
        """End the process, by force if it does not listen."""
        self._stopping = True
        if self._process is None or self._process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), STOP_LIMIT_S)
            except TimeoutError:
                self._process.kill()


class Front:
    """
    Accepts connections and chooses a worker for each.

    Args:
        listener: Bound and listening.
        workers: By number.
        trusted: Networks of proxies.
    """

    def __init__(
        self, listener: socket.socket, workers: list[Worker], trusted: Sequence[Network] = ()
    ) -> None:
        listener.setblocking(False)
        self._trusted = trusted
        self._listener = listener
        self._workers = workers
        self._turn = itertools.count()
        self._waiting: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Accept until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, address = await loop.sock_accept(self._listener)
            except OSError as problem:
                # out of descriptors, or a visitor who has gone: the next may be served
                print(f"wirespeed: a connection was not taken: {problem}", file=sys.stderr)  # noqa: T201
                await asyncio.sleep(PARTIAL_S)
                continue
            if len(self._waiting) >= MOST_WAITING:
                connection.close()
                continue
            task = loop.create_task(self._pass_on(connection, str(address[0])))
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)

    async def _pass_on(self, connection: socket.socket, address: str) -> None:
        """Give it to a program's worker by its address, to that of its browser, or to the next; our own end is closed."""
        with connection:
            try:
                async with asyncio.timeout(HEAD_LIMIT_S):
                    head = await first_lines(connection)
            except (TimeoutError, OSError):
                return
            if not head:
                return
            count = len(self._workers)
            chosen = by_address(head, address, count, self._trusted)
            if chosen is None:
                chosen = by_cookie(head, count)
            if chosen is None:
                chosen = next(self._turn) % count
            # where that worker has just ended, any other serves a page as well
            for number in range(chosen, chosen + count):
                if self._workers[number % count].take(connection):
                    return


async def first_lines(connection: socket.socket) -> bytes:
    """What a visitor sends first, left unread; nothing where the visitor has gone."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            head = connection.recv(HEAD_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            await _readable(loop, connection)
            continue
        if not head or b"\r\n\r\n" in head or len(head) >= HEAD_BYTES:
            return head
        await asyncio.sleep(PARTIAL_S)


async def _readable(loop: asyncio.AbstractEventLoop, connection: socket.socket) -> None:
    arrived = loop.create_future()

    def note() -> None:
        loop.remove_reader(connection)
        if not arrived.done():
            arrived.set_result(None)

    loop.add_reader(connection, note)
    try:
        await arrived
    finally:
        loop.remove_reader(connection)
