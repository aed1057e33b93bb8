"""Many runs in a few statements: rows of a table, and the measurements that belong to them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from core.measurement import GpuCount, Matrix, Notice, Run, Sample
from db import schema

Item = TypeVar("Item")
PIECE = 500
"""Values of one IN list, well below what either engine takes."""


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
    """Samples, GPUs, matrices and warnings of runs by their number."""
    _samples(connection, runs)
    _parts(connection, schema.run_gpus, ((number, run.machine.gpus) for number, run in runs.items()))
    _parts(connection, schema.matrices, ((number, run.matrices) for number, run in runs.items()))
    _parts(connection, schema.warnings, ((number, run.warnings) for number, run in runs.items()))


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
    _sample_rows(connection, rows)


def _sample_rows(connection: Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    names = ("series_id", "position", *schema.SAMPLE_VALUES)
    if connection.dialect.name == "postgresql":
        # COPY: rows one by one take PostgreSQL ten times as long
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(f"COPY samples ({', '.join(names)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        return
    connection.execute(schema.samples.insert(), [dict(zip(names, row, strict=True)) for row in rows])


def _parts(
    connection: Connection,
    table: sa.Table,
    parts_of: Iterable[tuple[int, Sequence[GpuCount | Matrix | Notice]]],
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
