"""Many runs in a few statements: rows of a table, and the measurements that belong to them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from core.measurement import GpuCount, Matrix, Notice, Observation, Run, Sample
from db import schema

Item = TypeVar("Item")
PIECE = 500
"""Values of one IN list, well below what either engine takes."""
MOST_AT_ONCE = 20_000
"""Rows of one statement: more take memory and no less time."""


def pieces(items: Sequence[Item]) -> list[Sequence[Item]]:
    """A sequence cut so that each part fits into a statement."""
    return [items[start : start + PIECE] for start in range(0, len(items), PIECE)]


def insert_new(
    connection: Connection, table: sa.Table, key: str, rows: Sequence[Mapping[str, Any]]
) -> dict[str, int]:
    """Insert rows whose ``key`` is not taken (also not by a rival just now); their numbers by key."""
    if not rows:
        return {}
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(table).on_conflict_do_nothing(index_elements=[key]).returning(table.c[key], table.c.id)
    return {row[0]: row[1] for row in connection.execute(statement, [dict(row) for row in rows])}


def insert_contents(connection: Connection, runs: Mapping[int, Run]) -> None:
    """Samples, GPUs, matrices, warnings and observations of runs by their number."""
    _samples(connection, runs)
    _parts(connection, schema.run_gpus, ((number, run.machine.gpus) for number, run in runs.items()))
    _parts(connection, schema.matrices, ((number, run.matrices) for number, run in runs.items()))
    _parts(connection, schema.warnings, ((number, run.warnings) for number, run in runs.items()))
    insert_observations(connection, runs)


def insert_observations(connection: Connection, runs: Mapping[int, Run]) -> None:
    """What the lines of the logs say of the machines, of runs by their number."""
    _parts(connection, schema.observations, ((number, run.observations) for number, run in runs.items()))


def _samples(connection: Connection, runs: Mapping[int, Run]) -> None:
    by_series: dict[tuple[Any, ...], list[tuple[int, Sample]]] = {}
    for number, run in runs.items():
        for position, sample in enumerate(run.samples):
            words = (sample.operation or "", sample.placement or "", run.dtype or "", sample.detail or "")
            by_series.setdefault((number, *words), []).append((position, sample))
    if not by_series:
        return
    names = ("run_id", *schema.SERIES_KEY)
    columns = [schema.series.c[name] for name in names]
    statement = schema.series.insert().returning(*columns, schema.series.c.id)
    inserted = connection.execute(statement, [dict(zip(names, key, strict=True)) for key in by_series])
    numbers = {tuple(row[:-1]): row[-1] for row in inserted}
    rows = (
        (numbers[key], position, *(getattr(sample, name) for name in schema.SAMPLE_VALUES))
        for key, samples in by_series.items()
        for position, sample in samples
    )
    insert_rows(connection, schema.samples, ("series_id", "position", *schema.SAMPLE_VALUES), rows)


def insert_rows(
    connection: Connection, table: sa.Table, names: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Very many rows of a table, as tuples in the order of ``names``."""
    if connection.dialect.name == "postgresql":
        # COPY: rows one by one take PostgreSQL ten times as long
        driver: Any = connection.connection.driver_connection
        statement = f"COPY {table.name} ({', '.join(names)}) FROM STDIN"
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
        return
    following = iter(rows)
    while some := list(islice(following, MOST_AT_ONCE)):
        connection.execute(table.insert(), [dict(zip(names, row, strict=True)) for row in some])


def _parts(
    connection: Connection,
    table: sa.Table,
    parts_of: Iterable[tuple[int, Sequence[GpuCount | Matrix | Notice | Observation]]],
) -> None:
    """Rows of a table that belong to runs, numbered in their order."""
    rows = [
        {"run_id": number, "position": position}
        | {name: getattr(part, name) for name in part.__dataclass_fields__}
        for number, parts in parts_of
        for position, part in enumerate(parts)
    ]
    if rows:
        connection.execute(table.insert(), rows)
