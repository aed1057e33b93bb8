"""Questions to the store: which runs are there, what one holds, what many measured."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.checks import InputError, count
from core.measurement import GpuCount, Machine, Matrix, Notice, Run, Sample
from db import schema
from db.errors import UnknownRunError
from db.records import Columns, Facets, Page, RunRow, StoredRun, columns

MOST_RUNS_A_PAGE = 500
FIELDS = frozenset(field.name for field in fields(RunRow))
runs, series, samples = schema.runs, schema.series, schema.samples
machines, machine_gpus = schema.machines, schema.machine_gpus

SAMPLE_COLUMNS = {
    "run_id": series.c.run_id,
    "operation": series.c.operation,
    "placement": series.c.placement,
    "dtype": series.c.dtype,
    "size_bytes": samples.c.size_bytes,
    "time_s": samples.c.time_s,
    "wrong": samples.c.wrong,
    "reported_algbw_bytes_per_s": samples.c.reported_algbw_bytes_per_s,
    "reported_busbw_bytes_per_s": samples.c.reported_busbw_bytes_per_s,
}
FLOATS = ("time_s", "wrong", "reported_algbw_bytes_per_s", "reported_busbw_bytes_per_s")
SAMPLE_KINDS: dict[str, type] = {"run_id": int, "size_bytes": int, **dict.fromkeys(FLOATS, float)}


def page(
    connection: Connection,
    *,
    cursor: str | None = None,
    limit: int = 50,
    gpu: str | None = None,
    operation: str | None = None,
    since: datetime | None = None,
    tag: str | None = None,
    deleted: bool = False,
) -> Page:
    """
    Runs, newest first.

    Args:
        connection: To the database.
        cursor: ``next`` of the page before.
        limit: Runs on a page.
        gpu: Part of a GPU's name, in any case.
        operation: An operation that the run measured.
        since: Uploaded at this moment or later.
        tag: A tag that the run bears.
        deleted: True lists the deleted runs instead.
    """
    count("limit", limit, least=1, most=MOST_RUNS_A_PAGE)
    query = sa.select(runs.c.id).order_by(runs.c.id.desc()).limit(limit + 1)
    query = query.where(runs.c.deleted_at.is_not(None) if deleted else runs.c.deleted_at.is_(None))
    if cursor:
        query = query.where(runs.c.id < _position(cursor))
    if gpu:
        query = query.where(runs.c.machine_id.in_(_machines_with(gpu)))
    if operation:
        has = sa.exists().where(series.c.run_id == runs.c.id, series.c.operation == operation)
        query = query.where(has)
    if since:
        query = query.where(runs.c.uploaded_at >= since)
    if tag:
        query = query.where(sa.exists().where(schema.tags.c.run_id == runs.c.id, schema.tags.c.tag == tag))
    found = list(connection.execute(query).scalars())
    more = len(found) > limit
    shown = found[:limit]
    return Page(tuple(rows(connection, shown)), str(shown[-1]) if more else None)


def rows(connection: Connection, run_ids: Sequence[int]) -> list[RunRow]:
    """The runs of those numbers, in that order; unknown numbers are left out."""
    if not run_ids:
        return []
    joined = sa.select(
        runs, machines.c.fingerprint, machines.c.host_count, machines.c.driver, machines.c.cuda
    )
    joined = joined.add_columns(machines.c.nccl).join(machines, machines.c.id == runs.c.machine_id)
    found = connection.execute(joined.where(runs.c.id.in_(run_ids))).mappings().all()
    gpus = _gpus(connection, {row["machine_id"] for row in found})
    tags = _listed(connection, schema.tags.c.run_id, schema.tags.c.tag, run_ids)
    operations = _listed(connection, series.c.run_id, series.c.operation, run_ids)
    counts: dict[str, dict[int, int]] = {
        "sample_count": _counted(connection, series.c.run_id, run_ids, sa.join(series, samples)),
        "matrix_count": _counted(connection, schema.matrices.c.run_id, run_ids, schema.matrices),
        "warning_count": _counted(connection, schema.warnings.c.run_id, run_ids, schema.warnings),
    }
    by_id: dict[int, RunRow] = {}
    for row in found:
        known: dict[str, Any] = {name: value for name, value in row.items() if name in FIELDS}
        known |= {name: numbers.get(row["id"], 0) for name, numbers in counts.items()}
        by_id[row["id"]] = RunRow(
            **known,
            gpus=tuple(gpus[row["machine_id"]]),
            tags=tuple(tags[row["id"]]),
            operations=tuple(word for word in operations[row["id"]] if word),
        )
    return [by_id[number] for number in run_ids if number in by_id]


def one(connection: Connection, run_id: int) -> StoredRun:
    """
    A run with all its measurements, deleted or not.

    Raises:
        UnknownRunError: There is none of that number.
    """
    found = rows(connection, [run_id])
    if not found:
        message = f"there is no run {run_id}"
        raise UnknownRunError(message)
    raw = connection.execute(sa.select(runs).where(runs.c.id == run_id)).one()
    row = found[0]
    machine = Machine(row.gpus, tuple(raw.hosts), row.driver, row.cuda, row.nccl, dict(raw.env))
    run = Run(
        file=row.file,
        format=row.format,
        collective=row.collective,
        ranks=row.ranks,
        machine=machine,
        samples=_samples(connection, run_id),
        matrices=_matrices(connection, run_id),
        warnings=_notices(connection, run_id),
        dtype=row.dtype,
        tool_version=row.tool_version,
        started_at=raw.started_at,
    )
    return StoredRun(row, run, raw.raw_sha256)


def sample_columns(
    connection: Connection,
    run_ids: Iterable[int],
    *,
    operation: str | None = None,
    placement: str | None = None,
) -> Columns:
    """
    The samples of many runs as columns, by run and then in the order of the file.

    ``wrong`` and the reported rates are NaN where absent; operation, placement and dtype are ``""``.
    """
    query = sa.select(*(column.label(name) for name, column in SAMPLE_COLUMNS.items()))
    query = query.join(samples, samples.c.series_id == series.c.id).where(series.c.run_id.in_(list(run_ids)))
    if operation is not None:
        query = query.where(series.c.operation == operation)
    if placement is not None:
        query = query.where(series.c.placement == placement)
    found = connection.execute(query.order_by(series.c.run_id, samples.c.position)).all()
    return columns(tuple(SAMPLE_COLUMNS), list(found), SAMPLE_KINDS)


def facets(connection: Connection) -> Facets:
    """The words by which the runs that are not deleted can be picked."""
    here = runs.c.deleted_at.is_(None)
    gpu = sa.select(machine_gpus.c.name).where(
        machine_gpus.c.machine_id.in_(sa.select(runs.c.machine_id).where(here))
    )
    operation = sa.select(series.c.operation).join(runs, runs.c.id == series.c.run_id).where(here)
    tag = sa.select(schema.tags.c.tag).join(runs, runs.c.id == schema.tags.c.run_id).where(here)
    words = [
        sorted(set(connection.execute(query.distinct()).scalars()) - {""}) for query in (gpu, operation, tag)
    ]
    total = connection.execute(sa.select(sa.func.count()).select_from(runs).where(here)).scalar_one()
    gpus, operations, tags = (tuple(found) for found in words)
    return Facets(gpus, operations, tags, run_count=total)


def _position(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 19):  # noqa: PLR2004 - digits of 2^63
        message = f"cursor: the 'next' of a page before, not {cursor!r}"
        raise InputError(message)
    return int(cursor)


def _machines_with(gpu: str) -> sa.Select[tuple[int]]:
    return sa.select(machine_gpus.c.machine_id).where(machine_gpus.c.name.icontains(gpu, autoescape=True))


def _gpus(connection: Connection, machine_ids: Iterable[int]) -> dict[int, list[GpuCount]]:
    query = sa.select(machine_gpus).where(machine_gpus.c.machine_id.in_(list(machine_ids)))
    gpus: dict[int, list[GpuCount]] = defaultdict(list)
    query = query.order_by(machine_gpus.c.machine_id, machine_gpus.c.position)
    for row in connection.execute(query).mappings():
        gpus[row["machine_id"]].append(GpuCount(row["name"], row["count"]))
    return gpus


def _listed(
    connection: Connection, key: sa.Column[Any], word: sa.Column[Any], run_ids: Sequence[int]
) -> dict[int, list[str]]:
    query = sa.select(key, word).where(key.in_(run_ids)).distinct().order_by(key, word)
    words: dict[int, list[str]] = defaultdict(list)
    for number, value in connection.execute(query):
        words[number].append(value)
    return words


def _counted(
    connection: Connection, key: sa.Column[Any], run_ids: Sequence[int], table: sa.FromClause
) -> dict[int, int]:
    query = sa.select(key, sa.func.count()).select_from(table).where(key.in_(run_ids)).group_by(key)
    return {row[0]: row[1] for row in connection.execute(query)}


def _samples(connection: Connection, run_id: int) -> tuple[Sample, ...]:
    names = ("operation", "size_bytes", "time_s", "placement", "wrong")
    reported = ("reported_algbw_bytes_per_s", "reported_busbw_bytes_per_s")
    query = sa.select(*(SAMPLE_COLUMNS[name] for name in (*names, *reported)))
    query = query.join(samples, samples.c.series_id == series.c.id).where(series.c.run_id == run_id)
    return tuple(
        Sample(row[0] or None, row[1], row[2], row[3] or None, *row[4:])
        for row in connection.execute(query.order_by(samples.c.position))
    )


def _matrices(connection: Connection, run_id: int) -> tuple[Matrix, ...]:
    table = schema.matrices
    query = sa.select(table).where(table.c.run_id == run_id).order_by(table.c.position)
    return tuple(_matrix(row) for row in connection.execute(query).mappings())


def _matrix(row: sa.RowMapping) -> Matrix:
    return Matrix(
        name=row["name"],
        kind=row["kind"],
        direction=row["direction"],
        peer_access=row["peer_access"],
        rows=tuple(row["rows"]),
        columns=tuple(row["columns"]),
        values=tuple(tuple(cells) for cells in row["values"]),
    )


def _notices(connection: Connection, run_id: int) -> tuple[Notice, ...]:
    table = schema.warnings
    query = sa.select(table).where(table.c.run_id == run_id).order_by(table.c.position)
    return tuple(Notice(row.code, row.message, row.line) for row in connection.execute(query))
