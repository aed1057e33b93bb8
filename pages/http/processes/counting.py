"""The counts of all serving processes: each answers the others over a socket in a folder that they share."""

import json
import os
import socket
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from db import log
from pages.http.counts import Counts, Metrics, head, lines

FOLDER = "_WIRESPEED_COUNTS"
LIMIT_S = 1.0
"""So long a process waits for the counts of another."""
UP = "wirespeed_worker_up"


class Team:
    """
    One of several processes, which knows what all of them counted.

    Args:
        metrics: The counts of this process.
        folder: Where the processes' sockets lie; only their user may enter it.
        number: Our place among them.
        size: How many there are.
    """

    def __init__(self, metrics: Metrics, folder: Path, number: int, size: int) -> None:
        self._metrics = metrics
        self._folder = folder
        self._number = number
        self._size = size

    def listen(self) -> None:
        """Answer the others from now on, in a thread of its own; where that cannot be, a line says so."""
        path = self._path(self._number)
        listener = socket.socket(socket.AF_UNIX)
        try:
            path.unlink(missing_ok=True)
            listener.bind(str(path))
            listener.listen(self._size)
        except OSError as problem:
            listener.close()
            log.line(f"/metrics of the other processes lacks this one: {problem}")
            return
        threading.Thread(target=self._answer, args=(listener,), daemon=True, name="counts").start()

    def lines(self) -> list[str]:
        """The counts of all processes in Prometheus' text format, each with its number, and who answered."""
        counted = self.counts()
        heard = {f'worker="{number}"': counts for number, counts in counted.items() if counts is not None}
        answered = [
            f'{UP}{{worker="{number}"}} {int(counts is not None)}' for number, counts in counted.items()
        ]
        return [*lines(heard), *head(UP, "gauge", "Whether this process has told its counts."), *answered]

    def counts(self) -> dict[int, Counts | None]:
        """The counts of each process by its number; None for one that does not answer in time."""
        others = {number: self._told(number) for number in range(self._size) if number != self._number}
        return dict(sorted({**others, self._number: self._metrics.counts()}.items()))

    def _told(self, number: int) -> Counts | None:
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.settimeout(LIMIT_S)
                connection.connect(str(self._path(number)))
                with connection.makefile("rb") as told:
                    return Counts.of_json(json.loads(told.read()))
            except (OSError, ValueError):
                return None

    def _answer(self, listener: socket.socket) -> None:
        while True:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.settimeout(LIMIT_S)
                connection.sendall(json.dumps(asdict(self._metrics.counts())).encode())

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.sock"


def team(metrics: Metrics, number: int | None, size: int) -> Team | None:
    """The team of this process; None where it serves alone."""
    folder = os.environ.get(FOLDER)
    return Team(metrics, Path(folder), number, size) if folder and number is not None else None
