"""Which reader a file is for, and the job that all files of an upload make together."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import IO

from core.errors import InputError
from core.storable import storable
from core.traces import nsys, nsys_trace, tables, tracelens
from core.traces.archives import FILES_MOST, is_tar, sources
from core.traces.chakra import is_chakra, read_chakra
from core.traces.execution_trace import read_execution_trace
from core.traces.flight_recorder import read_flight_recorder
from core.traces.inspector import read_inspector
from core.traces.job_json import is_job_file, read_job_file
from core.traces.json_text import is_list
from core.traces.kineto.read import read_kineto
from core.traces.merging import merged_jobs
from core.traces.nccl_log import read_nccl_log
from core.traces.nsys import read_nsys
from core.traces.nsys_trace import read_nsys_trace
from core.traces.records import Job
from core.traces.tracelens import NO_REPORT, NoReportError, most_telling, read_tracelens, read_workbook
from core.traces.unpacking import Progress, Source
from core.traces.workbook import is_workbook

KNOWN = (
    "PyTorch profiler traces, NCCL Inspector records, flight-recorder dumps, NCCL_DEBUG logs, PyTorch or "
    "Chakra execution traces, nsys kernel tables and TraceLens reports are read"
)
_OTHERS = (
    (b"SQLite format 3\0", "a database of Nsight Systems: bring what `nsys stats` prints of it"),
    (b"PK", "an archive within an archive within an archive: unpack one of them"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd: bring it unpacked, or packed with gzip"),
    (b"BZh", "packed with bzip2: bring it unpacked, or packed with gzip"),
    (b"\xfd7zXZ", "packed with xz: bring it unpacked, or packed with gzip"),
    (b"7z\xbc\xaf", "a 7z archive: bring a zip"),
)
"""First bytes of files that hold what is read, in a form that is not."""
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_TRACE_EVENT = re.compile(rb'\s*\[\s*\{[^{}]*"ph"\s*:')


def read_job(files: Iterable[tuple[str, IO[bytes]]], progress: Progress | None = None) -> Job:
    """
    The job that these files tell together.

    Args:
        files: Name and content of each: a trace, packed or not, or an archive of some; content is seekable.
        progress: Called with the number of bytes of every piece read; what it raises stops the reading.

    Raises:
        InputError: One line saying which file cannot be read and why.
    """
    jobs: list[Job] = []
    passed_over = 0
    for name, stream in files:
        read, others = [], []
        for source in sources(name, stream, progress):
            job = _job_of(source)
            if isinstance(job, str):
                others.append((source.name, job))
            else:
                read.append(job)
            if len(jobs) + len(read) + len(others) > FILES_MOST:
                message = f"{name}: more than {FILES_MOST} files"
                raise InputError(message)
        if not read:
            others = others or [(name, "an archive that holds no file; ")]
            other, hint = next((other for other in others if other[1]), others[-1])
            message = f"{other[-80:]}: {hint or 'no trace of a known kind; '}{KNOWN}"
            raise InputError(message)
        jobs += read
        passed_over += len(others)
    if not jobs:
        message = f"no file; {KNOWN}"
        raise InputError(message)
    return storable(_noted(merged_jobs(most_telling(jobs)), passed_over))


def _job_of(source: Source) -> Job | str:
    """The job of one file; of one that is no trace what it is, as ``unread`` says it."""
    reader = reader_of(source)
    if reader is None:
        return unread(source)
    try:
        return reader(source)
    except NoReportError:
        return f"{NO_REPORT}; "


def _noted(job: Job, passed_over: int) -> Job:
    """The job with a word about the files of its archives that are no traces."""
    if not passed_over:
        return job
    which = (
        "1 file is no trace and was" if passed_over == 1 else f"{passed_over} files are no traces and were"
    )
    return replace(job, notes=(*job.notes, f"{which} left out."))


def reader_of(source: Source) -> Callable[[Source], Job] | None:
    """The reader of a file, by its first bytes; None where it is of no known kind."""
    head = source.head
    if _PICKLE.match(head):
        return read_flight_recorder
    if is_workbook(head):
        return read_workbook
    if re.search(rb'"(?:coll_perf|p2p_perf|inspector_output_format_version)"\s*:', head):
        return read_inspector
    start = head.lstrip()
    if (start.startswith(b"{") or is_list(start)) and (reader := _json_reader(start)):
        return reader
    if b" NCCL INFO " in head:
        return read_nccl_log
    return _table_reader(head)


def _json_reader(start: bytes) -> Callable[[Source], Job] | None:
    if is_job_file(start):
        return read_job_file
    if is_chakra(start):
        return read_chakra
    keys: tuple[tuple[bytes, Callable[[Source], Job]], ...] = (
        (rb'"traceEvents"\s*:', read_kineto),
        (rb'"schema"\s*:\s*"\d', read_execution_trace),
        (
            rb'"(?:pg_config|pg_status|nccl_comm_state|profiling_name)"\s*:|"entries"\s*:\s*\[',
            read_flight_recorder,
        ),
        (rb'"schemaVersion"\s*:|"deviceProperties"\s*:', read_kineto),
        (rb'"Total Time[^"]*"\s*:', read_nsys),
        (rb'"(?:Start|Kernel Start)[^"]*"\s*:.{0,4000}"CorrId"\s*:|"Kernel Dur[^"]*"\s*:', read_nsys_trace),
    )
    for pattern, reader in keys:
        if re.search(pattern, start):
            return reader
    return read_kineto if _TRACE_EVENT.match(start) else None


def _table_reader(head: bytes) -> Callable[[Source], Job] | None:
    for line in head.decode("utf-8", "replace").splitlines():
        for cells in tables.cut(line):
            if tracelens.is_header(cells):
                return read_tracelens
            if nsys.is_header(cells):
                return read_nsys
            if nsys_trace.is_header(cells):
                return read_nsys_trace
    return None


def unread(source: Source) -> str:
    """What a file of no known kind is, where its first bytes tell, and what to bring instead."""
    if is_tar(source.head):
        return "an archive within an archive within an archive: unpack one of them; "
    return next((f"{hint}; " for magic, hint in _OTHERS if source.head.startswith(magic)), "")
