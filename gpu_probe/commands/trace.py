"""``trace`` and ``job``: the collectives of a job's traces, printed, or written as a small job file."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from core.command_line import harmless, one_line
from core.errors import InputError
from core.traces.capture_json import capture_json
from core.traces.detect import read_job
from core.traces.job_json import job_to_json
from core.traces.records import Collectives, Job
from core.traces.totals import totals
from core.units import MS, format_size
from gpu_probe.commands.files import complain

_KINDS_SHOWN = 20
_STEP_BYTES = 100_000_000


def add_options(parser: ArgumentParser) -> None:
    """Options of ``trace``."""
    parser.add_argument(
        "files", nargs="+", metavar="TRACE", help="traces of one job: one a rank, or an archive of them"
    )
    parser.add_argument("--json", action="store_true", help="calls, bytes and times of each rank as JSON")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="job file to write, which Job reads like the traces"
    )


def run(options: Namespace) -> int:
    """Print or write the job; 2 if it could not be read or written."""
    try:
        job = read_traces(options.files)
        if options.json:
            print(json.dumps(capture_json(job, [Path(name).name for name in options.files]), allow_nan=False))
        elif options.output is None:
            print(harmless("\n".join(_lines(job))))
        else:
            name = options.output
            Path(name).write_text(json.dumps(job_to_json(job), allow_nan=False), encoding="utf-8")
            print(
                f"{name}: {sum(len(trace.collectives) for trace in job.ranks)} collectives", file=sys.stderr
            )
    except InputError as error:
        print(f"python -m gpu_probe {options.command}: {one_line(error)}", file=sys.stderr)
        return 2
    except OSError as error:
        complain(str(error.filename or options.files[0]), error.strerror or error)
        return 2
    except MemoryError:
        complain(options.files[0], "too large for this machine's memory")
        return 2
    return 0


def read_traces(names: list[str]) -> Job:
    """
    The job of these files.

    Raises:
        InputError: They are no traces of one job.
        OSError: One cannot be read.
    """
    with ExitStack() as stack:
        paths = [Path(name) for name in names]
        return read_job([(path.name, stack.enter_context(path.open("rb"))) for path in paths], _Progress())


class _Progress:
    """Says on a terminal how much was read, every 100 MB."""

    def __init__(self) -> None:
        self._bytes = 0

    def __call__(self, size: int) -> None:
        """So many bytes more."""
        before, self._bytes = self._bytes, self._bytes + size
        if before // _STEP_BYTES != self._bytes // _STEP_BYTES and sys.stderr.isatty():
            print(f"{self._bytes / 1e6:.0f} MB read", file=sys.stderr)


def _lines(job: Job) -> Iterator[str]:
    world = f", {job.world_size} ranks" if job.world_size else ""
    yield "; ".join(part for part in (f"{job.format}{world}", job.device_name, *job.software) if part)
    for trace in job.ranks:
        found = totals(trace)
        times = f"{found.sum_s / MS:.3f} ms in all, {found.union_s / MS:.3f} ms of the clock"
        hidden = f", {found.exposed_s / MS:.3f} ms exposed" if found.compute_s else ""
        yield f"rank {trace.rank}: {found.calls} collectives, {times}{hidden}"
        yield from _kinds(trace.collectives)
        yield from (f"  {note}" for note in trace.notes)
    for row in job.summary:
        rank = "" if row.rank is None else f"rank {row.rank}: "
        yield f"  {rank}{row.count} x {row.operation} {_size(row.bytes_in)}: {row.total_s / MS:.3f} ms"
    yield from job.notes


def _kinds(calls: Collectives) -> Iterator[str]:
    """Calls by operation, bytes and data type, the commonest first."""
    counts = Counter(zip(calls.operation, calls.bytes_in.tolist(), calls.dtype, strict=True))
    for (operation, size, dtype), count in counts.most_common(_KINDS_SHOWN):
        yield f"  {count} x {operation} {_size(size)} {dtype}".rstrip()
    if len(counts) > _KINDS_SHOWN:
        yield f"  and {len(counts) - _KINDS_SHOWN} other sizes"


def _size(size: int) -> str:
    return format_size(size) if size >= 0 else "of unknown size"
