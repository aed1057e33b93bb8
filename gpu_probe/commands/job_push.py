"""Traces among the files of ``push``: together they are one job, of which the collectives are sent."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.traces.archives import sources
from core.traces.detect import read_job, reader_of
from core.traces.job_json import job_to_json
from core.traces.nccl_log import read_nccl_log


def is_trace(path: Path) -> bool:
    """
    Whether a file, or one of its zip, is a trace; a log with NCCL's lines is not, since it holds a run.

    A file that cannot be read is none: whoever reads it next says why.
    """
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            readers = (reader_of(source) for source in sources(path.name, file))
            return any(reader not in (None, read_nccl_log) for reader in readers)
    except (InputError, OSError):
        return False


def job_file(paths: Sequence[Path], *, anonymous: bool) -> dict[str, Any]:
    """
    The job of these traces as a job file holds it; without the names of files where it is to be anonymous.

    Raises:
        InputError: One line saying which file cannot be read and why.
    """
    with ExitStack() as stack:
        job = read_job([(path.name, stack.enter_context(path.open("rb"))) for path in paths])
    if anonymous:
        ranks = tuple(replace(trace, source="", notes=()) for trace in job.ranks)
        job = replace(job, ranks=ranks, notes=())
    return dict(job_to_json(job))
