"""Traces read in a process of its own, with limits: a hostile or huge upload stalls nothing else."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import InputError
from core.traces.detect import read_job
from core.traces.job_json import job_from_json, job_to_json
from core.traces.records import Job
from gpu_probe.parsers.worker import PASSED, ROOT, START_S, TOO_MUCH, limit

SMALL_BYTES = 100_000
"""Reading so little takes milliseconds; starting a process, a quarter of a second."""


def read_traces(files: Sequence[tuple[str, bytes]], seconds: float = 120.0, megabytes: float = 1500.0) -> Job:
    """
    The job that these files tell together, read in a fresh process unless they are small.

    Args:
        files: Names and contents.
        seconds: Processor time for reading.
        megabytes: Memory that reading may add to an idle interpreter's.

    Raises:
        InputError: A file is no trace, or a limit was reached; one line says which.
    """
    with TemporaryDirectory(prefix="wirespeed-traces-") as folder:
        paths = []
        for number, (name, data) in enumerate(files):
            path = Path(folder) / str(number)
            path.write_bytes(data)
            paths.append((name, str(path)))
        if sum(len(data) for _, data in files) <= SMALL_BYTES and not any(_packed(data) for _, data in files):
            return _read(paths)
        return _read_apart(paths, seconds, megabytes)


def read_trace_upload(name: str, data: bytes) -> Job:
    """The job of one file, a trace or a zip of several; raises as ``read_traces``."""
    return read_traces([(name, data)])


def _packed(data: bytes) -> bool:
    """Whether little may unfold to much."""
    return data[:2] in (b"\x1f\x8b", b"PK")


def _read(paths: Sequence[tuple[str, str]]) -> Job:
    with ExitStack() as stack:
        return read_job([(name, stack.enter_context(Path(path).open("rb"))) for name, path in paths])


def _read_apart(paths: Sequence[tuple[str, str]], seconds: float, megabytes: float) -> Job:
    order = json.dumps({"files": paths, "seconds": seconds, "megabytes": megabytes}).encode()
    search = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    try:
        process = subprocess.run(
            [sys.executable, "-m", "gpu_probe.parsers.trace_worker"],
            input=order,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds + START_S,
            env={name: os.environ[name] for name in PASSED if name in os.environ} | {"PYTHONPATH": search},
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"reading took more than {seconds:g} s"
        raise InputError(message) from None
    status, _, body = process.stdout.partition(b"\n")
    if status == b"job":
        return job_from_json(json.loads(body))
    raise InputError(body.decode("utf-8", "replace") if status == b"error" else TOO_MUCH)


def _work() -> None:
    """The worker's whole life: an order in, the job or the reason out."""
    order = json.loads(sys.stdin.buffer.read())
    limit(order["seconds"], order["megabytes"])
    try:
        reply = "job\n" + json.dumps(job_to_json(_read(order["files"])))
    except InputError as problem:
        reply = f"error\n{problem}"
    except (MemoryError, RecursionError):
        reply = f"error\n{TOO_MUCH}"
    sys.stdout.buffer.write(reply.encode("utf-8", "replace"))


if __name__ == "__main__":
    _work()
