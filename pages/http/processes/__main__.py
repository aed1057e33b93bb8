"""`python app.py` with WIRESPEED_WORKERS above 1 becomes this: it listens and starts the workers."""

import asyncio
import os
import secrets
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from core.command_line import FAILED
from core.errors import InputError
from db import settings
from db.clients import Network, proxies
from db.secret import secret
from db.setting_values import host, port
from pages.http.processes.counting import FOLDER
from pages.http.processes.front import Front, Worker

ROOT = Path(__file__).resolve().parents[3]
BACKLOG = 2048
SECRET = "WIRESPEED_COOKIE_SECRET"  # noqa: S105 - a name


def listening(address: str, port: int) -> socket.socket:
    """A socket that listens there; OSError where it is taken."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family, backlog=BACKLOG)


async def serve(listener: socket.socket, count: int, folder: str, trusted: Sequence[Network]) -> int:
    """Serve with so many workers until SIGTERM or SIGINT, or until one cannot start; the exit status."""
    environment = {**os.environ, FOLDER: folder}
    if secret(SECRET) is None:
        environment[SECRET] = secrets.token_hex(32)
    command = (sys.executable, str(ROOT / "app.py"))
    workers = [Worker(number, command, environment) for number in range(count)]
    stopped = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    running = [asyncio.create_task(worker.run()) for worker in workers]
    front = asyncio.create_task(Front(listener, workers, trusted).serve())
    ending = asyncio.create_task(stopped.wait())
    await asyncio.wait([*running, front, ending], return_when=asyncio.FIRST_COMPLETED)
    front.cancel()
    await asyncio.gather(*(worker.stop() for worker in workers))
    statuses = await asyncio.gather(*running)
    return 0 if stopped.is_set() else max(1, *statuses)


def main() -> int:
    """Serve; 1 and a line where the address cannot be had."""
    try:
        address, at, count, trusted = host(), port(), settings.workers(), proxies()
    except InputError as problem:
        print(f"wirespeed: {problem}", file=sys.stderr)  # noqa: T201
        return FAILED
    try:
        listener = listening(address, at)
    except OSError as problem:
        print(f"wirespeed: {address}:{at}: {problem}", file=sys.stderr)  # noqa: T201
        return 1
    with listener, tempfile.TemporaryDirectory(prefix="wirespeed-") as folder:
        return asyncio.run(serve(listener, count, folder, trusted))


if __name__ == "__main__":
    sys.exit(main())
