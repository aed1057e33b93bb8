"""Reading an upload: out of the page's process, within a time limit, remembered by its content."""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from core.measurement import Run
from core.measurement_json import from_json

ROOT = Path(__file__).resolve().parents[2]
TIME_MOST_S = 90


@dataclass(frozen=True, slots=True)
class Reading:
    """What one file holds, or the one line that says why it cannot be read."""

    name: str
    sha256: str
    runs: tuple[Run, ...] = ()
    error: str = ""


_done = {}
_REMEMBERED = 32


def read(name, data):
    """The runs of a file; the same bytes are read once."""
    digest = hashlib.sha256(data).hexdigest()
    key = (name, digest)
    if key not in _done:
        while len(_done) >= _REMEMBERED:
            _done.pop(next(iter(_done)), None)
        _done[key] = _read(name, digest, data)
    return _done[key]


def _read(name, digest, data):
    command = [sys.executable, "-m", "pages.ui.reader_process", name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(  # noqa: S603 (our own module)
            command,
            input=data,
            capture_output=True,
            timeout=TIME_MOST_S,
            cwd=ROOT,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Reading(name, digest, error=f"reading took more than {TIME_MOST_S} s and was stopped")
    if done.returncode != 0:
        return Reading(name, digest, error="the reader stopped: too much memory or time for one file")
    answer = json.loads(done.stdout)
    if "error" in answer:
        where = f" (line {answer['line']})" if answer.get("line") else ""
        return Reading(name, digest, error=f"{answer['error']}{where}")
    return Reading(name, digest, tuple(from_json(one) for one in answer["runs"]))
