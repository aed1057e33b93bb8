"""Reading in a process of its own, with limits: a hostile upload stalls and fills nothing else."""

import contextlib
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

from core.measurement import Run
from core.measurement.run_json import file_json, runs_from_json
from gpu_probe.parsers.detect import read
from gpu_probe.parsers.problem import ParseError, refuse

ROOT = Path(__file__).resolve().parents[2]
_MEGABYTE = 1_000_000
_SMALL_BYTES = 200_000
"""Reading so little takes milliseconds, made to hurt two seconds; starting a process, a quarter of one."""
START_S = 10.0
"""What a fresh interpreter may take to come up on a busy machine, beyond the time for reading."""
PASSED = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHOME", "SYSTEMROOT", "TMPDIR")
"""What an interpreter needs to start; tokens and database addresses stay with the server."""
TOO_MUCH = "reading took more memory or time than allowed"


def read_upload(name: str, data: bytes) -> list[Run]:
    """
    Read a small file here, a large one (or one that takes too much) in a process of its own with limits.

    Args:
        name: As for ``read``.
        data: As for ``read``.

    Raises:
        ParseError: As ``read``, or a limit was reached.
    """
    if len(data) > _SMALL_BYTES:
        return read_limited(name, data)
    try:
        return read(name, data)
    except (MemoryError, RecursionError):
        return read_limited(name, data)


def read_limited(name: str, data: bytes, seconds: float = 20.0, megabytes: float = 600.0) -> list[Run]:
    """
    ``read`` in a fresh process that is stopped at a time and a memory limit.

    The process is an interpreter started anew, not a fork or a copy of the caller's main module,
    so it is safe from threads, servers and scripts.

    Args:
        name: As for ``read``.
        data: As for ``read``.
        seconds: Processor time for reading.
        megabytes: Memory that reading may add to an idle interpreter's.

    Raises:
        ParseError: As ``read``, or a limit was reached.
    """
    order = json.dumps({"name": name, "seconds": seconds, "megabytes": megabytes}).encode()
    command = [sys.executable, "-m", "gpu_probe.parsers.worker"]
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    try:
        process = subprocess.run(  # noqa: S603 (our own module, no shell)
            command,
            input=order + b"\n" + data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds + START_S,
            env={name: os.environ[name] for name in PASSED if name in os.environ} | {"PYTHONPATH": path},
            check=False,
        )
    except subprocess.TimeoutExpired:
        refuse(f"reading took more than {seconds:g} s")
    status, _, body = process.stdout.decode("utf-8", "replace").partition("\n")
    if status == "runs":
        return runs_from_json(json.loads(body))
    if status != "error":
        refuse(TOO_MUCH)
    line, _, message = body.partition("\n")
    raise ParseError(message, int(line) if line else None)


def _work() -> None:
    """The worker's whole life: an order and data in, runs or the reason out."""
    order = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    limit(order["seconds"], order["megabytes"])
    try:
        reply = "runs\n" + json.dumps(file_json(read(order["name"], data)))
    except ParseError as error:
        reply = f"error\n{error.line or ''}\n{error.message}"
    except (MemoryError, RecursionError):
        reply = f"error\n\n{TOO_MUCH}"
    sys.stdout.buffer.write(reply.encode("utf-8", "replace"))


def limit(seconds: float, megabytes: float) -> None:
    """Bound this process to so much more processor time and memory than it has used."""
    address_space_bytes = _address_space() + int(megabytes * _MEGABYTE)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    time_s = int(usage.ru_utime + usage.ru_stime + seconds) + 1
    for limit, value in ((resource.RLIMIT_AS, address_space_bytes), (resource.RLIMIT_CPU, time_s)):
        with contextlib.suppress(ValueError, OSError):
            _, hard = resource.getrlimit(limit)
            resource.setrlimit(limit, (value if hard < 0 else min(value, hard), hard))


def _address_space() -> int:
    """Bytes of address space now; where the system does not say, a generous guess."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 1_000_000_000


if __name__ == "__main__":
    _work()
