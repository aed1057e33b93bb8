"""One machine over time: its runs and what they measured, for charts of drift."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from db import browsing, projects, schema
from db.records import Columns, MachineHistory, SeriesKey, columns
from db.scope import Scope

runs, series, samples, machines = schema.runs, schema.series, schema.samples, schema.machines

DRIFT_COLUMNS = {
    "run_id": runs.c.id,
    "measured_at": runs.c.measured_at,
    "ranks": runs.c.ranks,
    "driver": machines.c.driver,
    "cuda": machines.c.cuda,
    "nccl": machines.c.nccl,
    **{
        name: browsing.SAMPLE_COLUMNS[name]
        for name in (*schema.SERIES_KEY, "size_bytes", "time_s", "low_s", "high_s")
    },
}
DRIFT_TYPES = {**browsing.SAMPLE_TYPES, "ranks": float}


def machine_histories(connection: Connection, scope: Scope) -> list[MachineHistory]:
    """Every machine that has runs, the most often measured first."""
    query = (
        sa.select(
            runs.c.identity,
            sa.func.min(machines.c.gpu).label("gpu"),
            sa.func.min(machines.c.gpu_count).label("gpu_count"),
            sa.func.count().label("run_count"),
            sa.func.min(runs.c.measured_at).label("first_at"),
            sa.func.max(runs.c.measured_at).label("last_at"),
            sa.func.max(runs.c.id).label("newest"),
        )
        .join(machines, machines.c.id == runs.c.machine_id)
        .where(runs.c.deleted_at.is_(None), scope.of(runs.c.project_id))
        .group_by(runs.c.identity)
        .order_by(sa.func.count().desc(), runs.c.identity)
    )
    machine_rows = [dict(row) for row in connection.execute(query).mappings()]
    newest = [row.pop("newest") for row in machine_rows]
    hosts_of = connection.execute(sa.select(runs.c.id, runs.c.hosts).where(runs.c.id.in_(newest)))
    hosts = {row.id: tuple(row.hosts) for row in hosts_of}
    return [
        MachineHistory(**row, hosts=hosts[run_id]) for row, run_id in zip(machine_rows, newest, strict=True)
    ]


def repeated(connection: Connection, scope: Scope) -> list[SeriesKey]:
    """The series that a machine measured in more than one run, by machine and name."""
    key = (runs.c.identity, runs.c.ranks, *(series.c[name] for name in schema.SERIES_KEY))
    query = sa.select(*key).join(runs, runs.c.id == series.c.run_id).where(runs.c.deleted_at.is_(None))
    query = query.where(scope.of(runs.c.project_id))
    query = query.group_by(*key).having(sa.func.count(runs.c.id.distinct()) > 1)
    listed = (SeriesKey(*row) for row in connection.execute(query))
    return sorted(listed, key=lambda each: (each.identity, each.name))


def series_drift(connection: Connection, scope: Scope, wanted: SeriesKey, most_runs: int) -> Columns:
    """
    What one machine measured of one series in its newest runs, oldest first; the columns of ``drift``.

    Args:
        connection: To the database.
        scope: What the reader may see.
        wanted: Machine and series.
        most_runs: The newest so many.
    """
    of_it = (
        runs.c.identity == wanted.identity,
        runs.c.ranks.is_not_distinct_from(wanted.ranks),
        *(series.c[name] == getattr(wanted, name) for name in schema.SERIES_KEY),
    )
    newest = sa.select(runs.c.id).join(series, series.c.run_id == runs.c.id).where(*of_it)
    newest = newest.where(runs.c.deleted_at.is_(None), scope.of(runs.c.project_id))
    newest = newest.order_by(runs.c.measured_at.desc(), runs.c.id.desc()).limit(most_runs)
    return _selected(connection, _all_drift(scope).where(*of_it, runs.c.id.in_(newest)))


def drift(
    connection: Connection,
    scope: Scope,
    identity: str,
    operation: str | None = None,
    ranks: int | None = None,
    project: str | None = None,
) -> Columns:
    """
    What one machine measured over time, oldest first, with the software of each run.

    Of one project, or of ``everyone``, where it is named. Wrong results (``wrong`` above 0) are left out:
    they are no times to compare.
    """
    query = _all_drift(scope).where(runs.c.identity == identity)
    filters: list[tuple[sa.Column[Any], Any]] = [(series.c.operation, operation), (runs.c.ranks, ranks)]
    query = query.where(*(column == value for column, value in filters if value is not None))
    if project is not None:
        query = query.where(projects.condition(runs.c.project_id, project))
    return _selected(connection, query)


def _all_drift(scope: Scope) -> sa.Select[Any]:
    """Every time of runs that are not deleted, with the software of its run; wrong results left out."""
    query = sa.select(*(column.label(name) for name, column in DRIFT_COLUMNS.items()))
    query = query.select_from(runs).join(machines, machines.c.id == runs.c.machine_id)
    query = query.join(series, series.c.run_id == runs.c.id).join(samples, samples.c.series_id == series.c.id)
    query = query.where(runs.c.deleted_at.is_(None), scope.of(runs.c.project_id))
    return query.where(sa.func.coalesce(samples.c.wrong, 0) == 0)


def _selected(connection: Connection, query: sa.Select[Any]) -> Columns:
    selected = connection.execute(query.order_by(runs.c.measured_at, runs.c.id, samples.c.position)).all()
    return columns(tuple(DRIFT_COLUMNS), list(selected), DRIFT_TYPES)
