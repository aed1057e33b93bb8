"""A program of a campaign: run to its end, its limit or a signal, and ended with all that it started."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
GRACE_S = 30
"""Seconds for what is to end."""
ENDING = (signal.SIGINT, signal.SIGTERM)


class Stopped(BaseException):
    """Whoever started the campaign wants it to end."""


@contextmanager
def stoppable() -> Iterator[None]:
    """
    Within it Ctrl-C and SIGTERM raise ``Stopped``, in a campaign in the background too.

    A shell starts what is put in the background with SIGINT ignored, and so are the programs that it starts;
    what is started in here hears of it again.
    """
    before = {number: signal.signal(number, _stop) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    raise Stopped(signal.Signals(number).name)


def ended(
    words: Sequence[str],
    settings: Mapping[str, str],
    output: IO[str] | int,
    limit_s: float,
    *,
    place: Path = ROOT,
    processor_s: int = resource.RLIM_INFINITY,
) -> int | None:
    """
    How a program of Python ended; None where it had to be ended. Nothing that it started is left.

    Args:
        words: What is run, after the interpreter.
        settings: What its environment says besides.
        output: Where what it says goes, on both streams.
        limit_s: Seconds by the clock after which it is ended.
        place: The checkout in which it runs.
        processor_s: Seconds of a processor that it, and each that it starts, may have.
    """
    with stoppable():
        process = subprocess.Popen(
            [sys.executable, *words],
            cwd=place,
            env={**os.environ, **settings},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=partial(_limit, processor_s),  # noqa: PLW1509 - there are no threads
        )
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(process)


def _limit(processor_s: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (processor_s, processor_s))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program: as by Ctrl-C, so that its tests stop their servers, then with its whole group."""
    try:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        pass
    finally:
        _end_group(process.pid)
        process.wait()


def _end_group(group: int) -> None:
    """Kill what is left of a group."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
