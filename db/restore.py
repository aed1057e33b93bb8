"""Puts a backup into a database: the whole of it in one transaction, or nothing."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.engine import Connection, Engine

from core.errors import InputError
from db import migrate, schema
from db.backup import BATCH, REVISIONS, kind, tables
from db.backup_file import BackupFile, TableLine
from db.errors import one_line


def restore(engine: Engine, backup: BackupFile, *, replace: bool = False) -> None:
    """
    Make the database what the backup holds, then bring its schema up to date.

    Args:
        engine: Of the database.
        backup: A file that was found whole.
        replace: Drop what the database holds; else it must be empty.

    Raises:
        InputError: The database is not empty, or the backup does not fit; nothing was changed.
        StoreError: The database cannot be used.
    """
    if backup.head.schema not in migrate.revisions():
        message = f"{backup.path} has schema {backup.head.schema}, unknown to this program: update Wirespeed"
        raise InputError(message)
    try:
        with one_line(engine), migrate.locked(engine) as connection:
            _clear(connection, replace=replace)
            migrate.run(connection, backup.head.schema)
            _fill(connection, backup)
            migrate.run(connection, migrate.head())
    except (exc.IntegrityError, exc.DataError) as error:
        reason = str(error.orig).splitlines()[0]
        message = f"{backup.path} does not fit its own schema: {reason}"
        raise InputError(message) from None


def _clear(connection: Connection, *, replace: bool) -> None:
    """Leave no table of ours, where that loses nothing or is wanted."""
    ours = [table for table in tables(connection) if table.name in schema.METADATA.tables]
    full = [table.name for table in ours if connection.execute(sa.select(table.c[0]).limit(1)).first()]
    if full and not replace:
        message = f"the database is not empty ({', '.join(sorted(full))}): --replace drops what it holds"
        raise InputError(message)
    for table in reversed(ours):
        table.drop(connection)
    connection.execute(sa.text(f"DROP TABLE IF EXISTS {REVISIONS}"))


def _fill(connection: Connection, backup: BackupFile) -> None:
    known = {table.name: table for table in tables(connection)}
    target: sa.Table | None = None
    last_ids: dict[str, int] = {}
    for line, rows in _batches(iter(backup)):
        if line is not None:
            target = known.get(line.name)
            if target is None or {name: kind(column) for name, column in target.c.items()} != dict(
                line.columns
            ):
                message = f"{backup.path}: table {line.name[:40]!r} is not one of schema {backup.head.schema}"
                raise InputError(message)
            if line.last_id is not None:
                last_ids[line.name] = line.last_id
            names = [name for name, _ in line.columns]
        if rows and target is not None:
            connection.execute(target.insert(), [dict(zip(names, row, strict=True)) for row in rows])
    for name, last in last_ids.items():
        _count_on(connection, name, last)


def _batches(lines: Iterator[TableLine | list[Any]]) -> Iterator[tuple[TableLine | None, list[list[Any]]]]:
    """Rows in handfuls; a table's own line comes before them."""
    rows: list[list[Any]] = []
    for line in lines:
        if isinstance(line, TableLine):
            yield None, rows
            yield line, []
            rows = []
        else:
            rows.append(line)
            if len(rows) == BATCH:
                yield None, rows
                rows = []
    yield None, rows


def _count_on(connection: Connection, table: str, last: int) -> None:
    """The next id is one that was never given, also where the highest rows were deleted."""
    if last <= 0:
        return
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table})
        query = sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)")
        connection.execute(query, {"name": table, "last": last})
    else:
        connection.execute(sa.select(sa.func.setval(sa.func.pg_get_serial_sequence(table, "id"), last)))
