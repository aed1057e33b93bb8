"""Reading an upload: in a process of its own, remembered by its content."""

import hashlib
from dataclasses import dataclass

from core.measurement import Run
from gpu_probe.parsers import ParseError
from gpu_probe.parsers.worker import read_limited

REMEMBERED = 32


@dataclass(frozen=True, slots=True)
class Reading:
    """What one file holds, or the one line that says why it cannot be read."""

    name: str
    sha256: str
    runs: tuple[Run, ...] = ()
    error: str = ""


_done = {}


def read(name, data):
    """The runs of a file; the same bytes are read once."""
    key = (name, hashlib.sha256(data).hexdigest())
    if key not in _done:
        while len(_done) >= REMEMBERED:
            _done.pop(next(iter(_done)), None)
        _done[key] = _read(*key, data)
    return _done[key]


def _read(name, digest, data):
    try:
        return Reading(name, digest, tuple(read_limited(name, data)))
    except ParseError as problem:
        where = f" (line {problem.line})" if problem.line else ""
        return Reading(name, digest, error=f"{problem.message}{where}")
