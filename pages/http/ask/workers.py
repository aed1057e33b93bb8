"""Processes that calculate for other programs: apart from the pages, and ended at a time limit."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.shell.call import FieldError
from db.threads import Few
from gpu_probe.parsers.worker import PASSED, START_S

ROOT = Path(__file__).resolve().parents[3]
AT_ONCE = 2
LIMIT_S = 20.0
MOST_WAITING = 30
LOGGED = 2000


class TimeLimitError(Exception):
    """A question that takes longer than the limit, or more memory than a worker may have."""


class Worker:
    """One process that answers one question after another; started at the first and after each limit."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def answer(self, name: str, values: Mapping[str, Any], limit_s: float) -> Any:
        """
        What the shell's command answers; as ``core.shell.call.answer``.

        Raises:
            FieldError: A field that cannot be used.
            TimeLimitError: The worker was ended, or ended itself.
        """
        fresh = self._process is None or self._process.poll() is not None
        if self._process is None or fresh:
            self.close()
            self._process = _start()
        process = self._process
        timer = threading.Timer(limit_s + (START_S if fresh else 0), process.kill)
        timer.start()
        try:
            line = _exchange(process, json.dumps({"name": name, "values": values}))
        finally:
            timer.cancel()
        if not line.endswith("\n"):
            self.close()
            if process.returncode != -signal.SIGKILL:
                message = f"{name}: the worker failed at {str(values)[:LOGGED]}"
                raise RuntimeError(message)
            message = f"{name}: takes more than {limit_s:g} s here; ask a smaller question, or the shell"
            raise TimeLimitError(message)
        reply = json.loads(line)
        if "answer" not in reply:
            raise FieldError(reply["error"], reply["field"])
        return reply["answer"]

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


class Workers:
    """
    A few workers that requests share.

    Args:
        most: Processes at the same time.
        limit_s: Seconds that a question may take.
    """

    def __init__(self, most: int = AT_ONCE, limit_s: float = LIMIT_S) -> None:
        self.limit_s = limit_s
        self._idle = [Worker() for _ in range(most)]
        self._few = Few(most)

    async def answer(self, name: str, values: Mapping[str, Any]) -> Any:
        """
        As ``Worker.answer``, as soon as a worker is free.

        Raises:
            FieldError: A field that cannot be used.
            TimeLimitError: No answer within the limit, or too many wait already.
        """
        if self._few.waiting >= MOST_WAITING:
            message = f"{name}: too many questions wait already; ask again later"
            raise TimeLimitError(message)
        return await self._few.run(self._answer, name, values)

    def close(self) -> None:
        """End the processes."""
        for worker in self._idle:
            worker.close()

    def _answer(self, name: str, values: Mapping[str, Any]) -> Any:
        worker = self._idle.pop()
        try:
            return worker.answer(name, values, self.limit_s)
        finally:
            self._idle.append(worker)


def _start() -> subprocess.Popen[str]:
    environment = {name: os.environ[name] for name in PASSED if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-m", "core.shell.serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment | {"PYTHONPATH": str(ROOT)},
        encoding="utf-8",
    )


def _exchange(process: subprocess.Popen[str], line: str) -> str:
    """One line there and one back; what came where the process ended before."""
    try:
        print(line, file=process.stdin, flush=True)
    except BrokenPipeError:
        return ""
    return process.stdout.readline() if process.stdout else ""
