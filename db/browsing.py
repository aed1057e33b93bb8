"""Questions to the store: which runs are there, what one holds, what many measured."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.checks import InputError, count
from core.measurement import GpuCount, Machine, Matrix, Notice, Observation, Run, Sample
from db import projects, schema
from db.errors import unknown_run
from db.records import Columns, Facets, Page, RunLabel, RunRow, StoredRun, columns, row_number
from db.run_filter import RunFilter, conditions, on_gpu
from db.scope import Scope

MOST_RUNS_A_PAGE = 500
MOST_LABELS = 20_000
FIELDS = frozenset(field.name for field in fields(RunRow))
runs, series, samples = schema.runs, schema.series, schema.samples
machines = schema.machines

SAMPLE_COLUMNS = {
    "run_id": series.c.run_id,
    **{name: series.c[name] for name in schema.SERIES_KEY},
    **{name: samples.c[name] for name in schema.SAMPLE_VALUES},
}
SAMPLE_TYPES: dict[str, type] = {
    "run_id": int,
    **{name: int if name == "size_bytes" else float for name in schema.SAMPLE_VALUES},
}

MOST_ID = 2**63 - 1
"""A larger number is no run's: neither engine can hold it."""


def page(
    connection: Connection,
    scope: Scope,
    wanted: RunFilter,
    *,
    cursor: str | None = None,
    limit: int = 50,
) -> Page:
    """
    Runs, newest first.

    Args:
        connection: To the database.
        scope: What may be seen.
        wanted: Which of them.
        cursor: ``next`` of the page before.
        limit: Runs on a page.
    """
    count("limit", limit, least=1, most=MOST_RUNS_A_PAGE)
    query = sa.select(runs.c.id).where(scope.of(runs.c.project_id))
    query = query.where(*conditions(wanted))
    if cursor:
        query = query.where(runs.c.id < position(cursor))
    run_ids = list(connection.execute(query.order_by(runs.c.id.desc()).limit(limit + 1)).scalars())
    has_more = len(run_ids) > limit
    run_ids = run_ids[:limit]
    return Page(tuple(rows(connection, scope, run_ids)), str(run_ids[-1]) if has_more else None)


def labels(
    connection: Connection, scope: Scope, *, gpu: str | None = None, project: str | None = None
) -> list[RunLabel]:
    """
    What all runs are called by, newest first, at most ``MOST_LABELS``.

    ``gpu`` is part of a GPU's name; ``project`` the name of one, or ``everyone``.
    """
    query = sa.select(runs.c.id, runs.c.file, machines.c.gpu, machines.c.gpu_count, runs.c.measured_at)
    query = query.join(machines, machines.c.id == runs.c.machine_id)
    query = query.where(runs.c.deleted_at.is_(None), scope.of(runs.c.project_id))
    query = query.order_by(runs.c.id.desc())
    if project:
        query = query.where(projects.condition(runs.c.project_id, project))
    if gpu:
        query = query.where(on_gpu(gpu))
    return [RunLabel(*row) for row in connection.execute(query.limit(MOST_LABELS))]


def rows(connection: Connection, scope: Scope, run_ids: Sequence[int]) -> list[RunRow]:
    """The runs of those numbers, in that order; unknown numbers and runs out of scope are left out."""
    if not run_ids:
        return []
    machine_columns = (column for column in machines.columns if column.name != "id")
    query = sa.select(runs, *machine_columns, schema.projects.c.name.label("project"))
    query = query.join(machines, machines.c.id == runs.c.machine_id)
    query = query.outerjoin(schema.projects, schema.projects.c.id == runs.c.project_id)
    query = query.where(runs.c.id.in_(run_ids), scope.of(runs.c.project_id))
    selected = connection.execute(query).mappings().all()
    tags = _listed(connection, schema.tags.c.run_id, schema.tags.c.tag, run_ids)
    operations = _listed(connection, series.c.run_id, series.c.operation, run_ids)
    counts: dict[str, dict[int, int]] = {
        "sample_count": _counted(connection, series.c.run_id, run_ids, sa.join(series, samples)),
        "matrix_count": _counted(connection, schema.matrices.c.run_id, run_ids, schema.matrices),
        "warning_count": _counted(connection, schema.warnings.c.run_id, run_ids, schema.warnings),
    }
    by_id: dict[int, RunRow] = {}
    for row in selected:
        run_id = row["id"]
        values: dict[str, Any] = {name: value for name, value in row.items() if name in FIELDS}
        values |= {name: by_run.get(run_id, 0) for name, by_run in counts.items()}
        by_id[run_id] = RunRow(
            **values,
            tags=tuple(tags[run_id]),
            operations=tuple(operation for operation in operations[run_id] if operation),
        )
    return [by_id[run_id] for run_id in run_ids if run_id in by_id]


def stored_run(connection: Connection, scope: Scope, run_id: int) -> StoredRun:
    """
    A run with all its measurements, deleted or not.

    Raises:
        UnknownRunError: There is none of that number that may be seen.
    """
    selected = rows(connection, scope, [run_id]) if run_id <= MOST_ID else []
    if not selected:
        raise unknown_run(run_id)
    raw = connection.execute(sa.select(runs).where(runs.c.id == run_id)).one()
    row = selected[0]
    gpus = tuple(GpuCount(*gpu) for gpu in _parts(connection, schema.run_gpus, run_id))
    machine = Machine(gpus, tuple(raw.hosts), row.driver, row.cuda, row.nccl, dict(raw.env))
    run = Run(
        file=row.file,
        format=row.format,
        collective=row.collective,
        ranks=row.ranks,
        machine=machine,
        samples=_samples(connection, run_id),
        matrices=tuple(_matrix(matrix) for matrix in _parts(connection, schema.matrices, run_id)),
        warnings=tuple(
            Notice(code, message, line) for code, line, message in _parts(connection, schema.warnings, run_id)
        ),
        dtype=row.dtype,
        tool_version=row.tool_version,
        collective_guess=row.collective_guess,
        ranks_guess=row.ranks_guess,
        origin=row.origin,
        started_at=raw.started_at,
        observations=tuple(Observation(*part) for part in _parts(connection, schema.observations, run_id)),
    )
    return StoredRun(row, run, raw.raw_sha256)


def sample_columns(
    connection: Connection,
    scope: Scope,
    run_ids: Iterable[int],
    *,
    operation: str | None = None,
    placement: str | None = None,
) -> Columns:
    """
    The samples of many runs as columns, by run and then in the order of the file.

    Absent numbers (``wrong``, ``low_s``, reported rates) are NaN, absent words are ``""``.
    """
    query = sa.select(*(column.label(name) for name, column in SAMPLE_COLUMNS.items()))
    query = query.join(samples, samples.c.series_id == series.c.id).where(series.c.run_id.in_(list(run_ids)))
    if scope.projects is not None:
        query = query.where(series.c.run_id.in_(sa.select(runs.c.id).where(scope.of(runs.c.project_id))))
    if operation is not None:
        query = query.where(series.c.operation == operation)
    if placement is not None:
        query = query.where(series.c.placement == placement)
    selected = connection.execute(query.order_by(series.c.run_id, samples.c.position)).all()
    return columns(tuple(SAMPLE_COLUMNS), list(selected), SAMPLE_TYPES)


def run_count(connection: Connection, scope: Scope) -> int:
    """How many runs there are, deleted ones left out."""
    query = sa.select(sa.func.count()).select_from(runs).where(runs.c.deleted_at.is_(None))
    query = query.where(scope.of(runs.c.project_id))
    return int(connection.execute(query).scalar_one())


def facets(connection: Connection, scope: Scope) -> Facets:
    """The GPUs, operations and tags of the runs that are not deleted."""
    shown = sa.and_(runs.c.deleted_at.is_(None), scope.of(runs.c.project_id))
    gpu = sa.select(machines.c.gpu).join(runs, runs.c.machine_id == machines.c.id).where(shown)
    operation = sa.select(series.c.operation).join(runs, runs.c.id == series.c.run_id).where(shown)
    tag = sa.select(schema.tags.c.tag).join(runs, runs.c.id == schema.tags.c.run_id).where(shown)
    gpus, operations, tags = (
        tuple(sorted(set(connection.execute(query.distinct()).scalars()) - {""}))
        for query in (gpu, operation, tag)
    )
    total = connection.execute(sa.select(sa.func.count()).select_from(runs).where(shown)).scalar_one()
    return Facets(gpus, operations, tags, run_count=total)


def position(cursor: str) -> int:
    """The number that a cursor stands for; InputError where it is none."""
    number = row_number(cursor)
    if number is None:
        message = f"cursor: the 'next' of a page before, not {cursor[:40]!r}"
        raise InputError(message)
    return number


def _listed(
    connection: Connection, key: sa.Column[Any], value: sa.Column[Any], run_ids: Sequence[int]
) -> dict[int, list[str]]:
    query = sa.select(key, value).where(key.in_(run_ids)).distinct().order_by(key, value)
    values: dict[int, list[str]] = defaultdict(list)
    for run_id, name in connection.execute(query):
        values[run_id].append(name)
    return values


def _counted(
    connection: Connection, key: sa.Column[Any], run_ids: Sequence[int], table: sa.FromClause
) -> dict[int, int]:
    query = sa.select(key, sa.func.count()).select_from(table).where(key.in_(run_ids)).group_by(key)
    return {row[0]: row[1] for row in connection.execute(query)}


def _samples(connection: Connection, run_id: int) -> tuple[Sample, ...]:
    names = [name for name in SAMPLE_COLUMNS if name not in {"run_id", "dtype"}]
    query = sa.select(*(SAMPLE_COLUMNS[name].label(name) for name in names))
    query = query.join(samples, samples.c.series_id == series.c.id).where(series.c.run_id == run_id)
    run_samples = []
    for row in connection.execute(query.order_by(samples.c.position)).mappings():
        labels = {name: row[name] or None for name in ("operation", "placement", "detail")}
        run_samples.append(Sample(**dict(row) | labels))
    return tuple(run_samples)


def _parts(connection: Connection, table: sa.Table, run_id: int) -> list[Any]:
    # a row has a method `values`: the column of that name is asked for under another
    selected = [
        column.label("values_") if column.name == "values" else column
        for column in table.columns
        if column.name not in {"run_id", "position"}
    ]
    query = sa.select(*selected).where(table.c.run_id == run_id).order_by(table.c.position)
    return list(connection.execute(query))


def _matrix(row: Any) -> Matrix:
    cells = tuple(tuple(cells) for cells in row.values_)
    names = (tuple(row.rows), tuple(row.columns))
    return Matrix(row.name, row.kind, row.direction, row.peer_access, *names, cells)
