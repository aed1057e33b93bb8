"""Traces read in a process of its own, with limits: a hostile or huge upload stalls nothing else."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from core.errors import InputError
from core.traces.archives import is_tar
from core.traces.detect import read_job
from core.traces.job_json import job_from_json, job_to_json
from core.traces.records import Job
from gpu_probe.parsers.worker import PASSED, ROOT, START_S, TOO_MUCH, limit

TELL_S = 0.1
SMALL_BYTES = 100_000
"""Reading so little takes milliseconds; starting a process, a quarter of a second."""


def read_traces(
    files: Sequence[tuple[str, bytes]],
    seconds: float = 120.0,
    megabytes: float = 1500.0,
    *,
    progress: Callable[[float], None] | None = None,
) -> Job:
    """
    The job that these files tell together, read in a fresh process unless they are small.

    Args:
        files: Names and contents.
        seconds: Processor time for reading.
        megabytes: Memory that reading may add to an idle interpreter's.
        progress: Called now and then with the share that is read; what it raises ends the process.

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
        return _read_apart(paths, seconds, megabytes, progress or _ignore)


def read_trace_upload(name: str, data: bytes) -> Job:
    """The job of one file, a trace or an archive of several; raises as ``read_traces``."""
    return read_traces([(name, data)])


def _packed(data: bytes) -> bool:
    """Whether little may unfold to much."""
    return data[:2] in (b"\x1f\x8b", b"PK") or is_tar(data)


def _ignore(_share: float) -> None:
    """Nobody looks at how far it is."""


def _read(paths: Sequence[tuple[str, str]], tell: Callable[[float], None] = _ignore) -> Job:
    total = max(1, sum(Path(path).stat().st_size for _, path in paths))
    with ExitStack() as stack:
        files = [(name, stack.enter_context(Path(path).open("rb"))) for name, path in paths]

        def pieces(_size: int) -> None:
            # where the packed files are read tells how far it is; what they unfold to is not known
            tell(sum(file.tell() for _, file in files) / total)

        return read_job(files, pieces)


def _read_apart(
    paths: Sequence[tuple[str, str]], seconds: float, megabytes: float, progress: Callable[[float], None]
) -> Job:
    order = json.dumps({"files": paths, "seconds": seconds, "megabytes": megabytes}).encode()
    search = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {name: os.environ[name] for name in PASSED if name in os.environ}
    with subprocess.Popen(
        [sys.executable, "-m", "gpu_probe.parsers.trace_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment | {"PYTHONPATH": search},
    ) as process:
        late = threading.Event()

        def expire() -> None:
            # set first: the reader wakes as soon as the process is killed
            late.set()
            process.kill()

        timer = threading.Timer(seconds + START_S, expire)
        timer.start()
        try:
            status, body = _followed(process, order, progress)
        finally:
            timer.cancel()
            process.kill()
    if status == b"job":
        # a process that is ended while it writes leaves half a job
        with suppress(json.JSONDecodeError):
            return job_from_json(json.loads(body))
    if late.is_set():
        message = f"reading took more than {seconds:g} s"
        raise InputError(message)
    raise InputError(body.decode("utf-8", "replace") if status == b"error" else TOO_MUCH)


def _followed(
    process: "subprocess.Popen[bytes]", order: bytes, progress: Callable[[float], None]
) -> tuple[bytes, bytes]:
    """What became of the order, with the job or the reason; passes on how far the worker is."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError
    with suppress(BrokenPipeError):
        process.stdin.write(order)
        process.stdin.close()
    for line in process.stdout:
        word, _, share = line.strip().partition(b" ")
        if word != b"read":
            return word, process.stdout.read()
        progress(float(share))
    return b"", b""


class _Teller:
    """Writes how far the worker is, a few times a second."""

    def __init__(self) -> None:
        self._told_s = monotonic()

    def __call__(self, share: float) -> None:
        """So much is read."""
        if monotonic() - self._told_s >= TELL_S:
            self._told_s = monotonic()
            sys.stdout.buffer.write(f"read {share:.4f}\n".encode())
            sys.stdout.buffer.flush()


def _work() -> None:
    """The worker's whole life: an order in, how far it is, and the job or the reason out."""
    order = json.loads(sys.stdin.buffer.read())
    limit(order["seconds"], order["megabytes"])
    try:
        reply = "job\n" + json.dumps(job_to_json(_read(order["files"], _Teller())))
    except InputError as problem:
        reply = f"error\n{problem}"
    except (MemoryError, RecursionError):
        reply = f"error\n{TOO_MUCH}"
    sys.stdout.buffer.write(reply.encode("utf-8", "replace"))


if __name__ == "__main__":
    _work()
