"""What the store hands out: frozen rows, free of SQL."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.measurement import Run
from core.traces.records import Job

Columns = dict[str, NDArray[Any]]
"""Named columns of equal length: numbers as float or int arrays, words as object arrays."""

_DIGITS = 19
"""Of 2^63."""


@dataclass(frozen=True, slots=True)
class Saved:
    """
    What became of one run of an upload.

    Attributes:
        id: Its number in the store.
        new: False when the store had it already.
        restored: True when it had been deleted and this upload brought it back.
        deleted: True when it was deleted and stays so: whoever uploads it may not restore it.
        tagged: True when it was there already and gained a tag.
        own: False when it was there already and somebody else keeps it.
        observed: True when it was there already and gained the lines of its log.
    """

    id: int
    new: bool
    restored: bool = False
    deleted: bool = False
    tagged: bool = False
    own: bool = True
    observed: bool = False


@dataclass(frozen=True, slots=True)
class RunLabel:
    """What a run is called by: its number, its file, its machine and when it was measured."""

    id: int
    file: str
    gpu: str
    gpu_count: int
    measured_at: datetime


@dataclass(frozen=True, slots=True)
class RunRow:
    """
    One run in a list: all that is known of it but its measurements.

    The columns of ``runs`` and ``machines`` in docs/SCHEMA.md, and the counts of what the run holds.
    """

    id: int
    sha256: str
    file: str
    format: str
    collective: str | None
    ranks: int | None
    collective_guess: str | None
    ranks_guess: int | None
    dtype: str | None
    origin: str | None
    tool_version: str | None
    gpu: str
    gpu_count: int
    host_count: int
    driver: str | None
    cuda: str | None
    nccl: str | None
    fingerprint: str
    identity: str
    measured_at: datetime
    uploaded_at: datetime
    uploaded_by: str | None
    note: str
    deleted_at: datetime | None
    tags: tuple[str, ...]
    operations: tuple[str, ...]
    sample_count: int
    matrix_count: int
    warning_count: int
    project: str | None = None


def row_number(text: str) -> int | None:
    """The number of a row that a text names; None where it names none, or more than a table counts to."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else None


def row_json(row: "RunRow | JobRow") -> dict[str, Any]:
    """A run or a job of a list as the HTTP API answers it: moments in ISO 8601, absent values null."""
    values = asdict(row)
    del values["deleted_at"]
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()
    }


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run with everything that was measured, and the hash of the log it came from."""

    row: RunRow
    run: Run
    raw_sha256: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """Some runs, newest first; ``next`` is the cursor of the following page, None at the end."""

    runs: tuple[RunRow, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class JobRow:
    """
    One job in a list: all that is known of it but its collectives.

    The columns of ``jobs`` in docs/SCHEMA.md.
    """

    id: int
    sha256: str
    file: str
    format: str
    device_name: str
    world_size: int | None
    rank_count: int
    step_count: int
    collective_count: int
    uploaded_at: datetime
    uploaded_by: str | None
    note: str
    deleted_at: datetime | None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job as it was kept, and what is known of it."""

    row: JobRow
    job: Job


@dataclass(frozen=True, slots=True)
class JobPage:
    """Some jobs, newest first; ``next`` is the cursor of the following page, None at the end."""

    jobs: tuple[JobRow, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Facets:
    """The values to filter by: every GPU name, operation and tag of runs that are not deleted."""

    gpus: tuple[str, ...]
    operations: tuple[str, ...]
    tags: tuple[str, ...]
    run_count: int


@dataclass(frozen=True, slots=True)
class MachineHistory:
    """
    One machine over time, whatever software it had.

    Attributes:
        identity: Hash of its GPUs and host names.
        gpu, gpu_count, hosts: Its GPUs and hosts as the newest runs name them.
        run_count: Runs that are not deleted.
        first_at, last_at: When the oldest and the newest of them was measured.
    """

    identity: str
    gpu: str
    gpu_count: int
    run_count: int
    first_at: datetime
    last_at: datetime
    hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeriesKey:
    """
    A series that one machine measured in several runs.

    Attributes:
        identity: Of the machine.
        ranks: Of the runs; None where they do not say.
        operation, placement, dtype, detail: What was measured; empty where the runs do not say.
    """

    identity: str
    ranks: int | None
    operation: str
    placement: str
    dtype: str
    detail: str

    @property
    def name(self) -> str:
        """What the series is called."""
        ranks = "" if self.ranks is None else f"{self.ranks} ranks"
        return ", ".join(filter(None, (self.operation, ranks, self.placement, self.dtype, self.detail)))


def columns(names: tuple[str, ...], rows: list[Any], types: Mapping[str, type]) -> Columns:
    """Turn rows into columns; ``types`` gives the type of those that hold numbers."""
    by_column = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return {
        name: np.array(values, dtype=types.get(name, object))
        for name, values in zip(names, by_column, strict=True)
    }
