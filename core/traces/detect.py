"""Which reader a file is for, and the job that all files of an upload make together."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import IO

from core.errors import InputError
from core.traces import nsys, tracelens
from core.traces.chakra import read_chakra
from core.traces.execution_trace import read_execution_trace
from core.traces.flight_recorder import read_flight_recorder
from core.traces.inspector import read_inspector
from core.traces.job_json import is_job_file, read_job_file
from core.traces.kineto.read import read_kineto
from core.traces.merging import merged_jobs
from core.traces.nccl_log import read_nccl_log
from core.traces.nsys import read_nsys
from core.traces.records import Job
from core.traces.tracelens import read_tracelens
from core.traces.unpacking import FILES_MOST, Progress, Source, sources

KNOWN = (
    "PyTorch profiler traces, NCCL Inspector records, flight-recorder dumps, NCCL_DEBUG logs, PyTorch or "
    "Chakra execution traces, nsys kernel summaries and TraceLens reports are read"
)
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_TRACE_EVENT = re.compile(rb'\s*\[\s*\{[^{}]*"ph"\s*:')


def read_job(files: Iterable[tuple[str, IO[bytes]]], progress: Progress | None = None) -> Job:
    """
    The job that these files tell together.

    Args:
        files: Name and content of each: a trace, packed or not, or a zip of several; content is seekable.
        progress: Called with the number of bytes of every piece read; what it raises stops the reading.

    Raises:
        InputError: One line saying which file cannot be read and why.
    """
    jobs: list[Job] = []
    passed_over = 0
    for name, stream in files:
        read, others = [], []
        for source in sources(name, stream, progress):
            reader = reader_of(source)
            if reader is None:
                others.append(source.name)
            else:
                read.append(reader(source))
        if not read:
            message = f"{others[0][-80:]}: no trace of a known kind; {KNOWN}"
            raise InputError(message)
        jobs += read
        passed_over += len(others)
        if len(jobs) > FILES_MOST:
            message = f"more than {FILES_MOST} files"
            raise InputError(message)
    if not jobs:
        message = f"no file; {KNOWN}"
        raise InputError(message)
    return _noted(merged_jobs(jobs), passed_over)


def _noted(job: Job, passed_over: int) -> Job:
    """The job with a word about the files of its zips that are no traces."""
    if not passed_over:
        return job
    which = (
        "1 file is no trace and was" if passed_over == 1 else f"{passed_over} files are no traces and were"
    )
    return replace(job, notes=(*job.notes, f"{which} left out."))


def reader_of(source: Source) -> Callable[[Source], Job] | None:
    """The reader of a file, by its first bytes; None where it is of no known kind."""
    head = source.head.removeprefix(b"\xef\xbb\xbf")
    if _PICKLE.match(head):
        return read_flight_recorder
    if re.search(rb'"(?:coll_perf|p2p_perf|inspector_output_format_version)"\s*:', head):
        return read_inspector
    if head.lstrip()[:1] in (b"{", b"["):
        return _json_reader(head)
    if b" NCCL INFO " in head:
        return read_nccl_log
    return _table_reader(head)


def _json_reader(head: bytes) -> Callable[[Source], Job] | None:
    start = head.lstrip()
    if is_job_file(start):
        return read_job_file
    keys: tuple[tuple[bytes, Callable[[Source], Job]], ...] = (
        (rb'"traceEvents"\s*:', read_kineto),
        (rb'"workload_graph"\s*:', read_chakra),
        (rb'"schema"\s*:\s*"\d', read_execution_trace),
        (rb'"(?:pg_config|pg_status|nccl_comm_state)"\s*:|"entries"\s*:\s*\[', read_flight_recorder),
        (rb'"schemaVersion"\s*:|"deviceProperties"\s*:', read_kineto),
    )
    for pattern, reader in keys:
        if re.search(pattern, head):
            return reader
    return read_kineto if _TRACE_EVENT.match(start) else None


def _table_reader(head: bytes) -> Callable[[Source], Job] | None:
    for line in head.decode("utf-8", "replace").splitlines():
        cells = [cell.strip(' "') for cell in line.split(",")]
        if tracelens.is_header(cells):
            return read_tracelens
        if nsys.is_header(cells) or nsys.is_header(re.split(r"\s{2,}", line.strip())):
            return read_nsys
    return None
