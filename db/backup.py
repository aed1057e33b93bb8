"""A consistent copy of the store in one file of our own format, the same for SQLite and PostgreSQL."""

import base64
import gzip
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from core.errors import InputError
from core.version import VERSION
from db import migrate
from db.errors import StoreError, one_line

FORMAT, FORMAT_VERSION = "wirespeed-backup", 1
BATCH = 2_000
REVISIONS = "alembic_version"
_KINDS: tuple[tuple[type[Any], str], ...] = (
    (sa.Boolean, "boolean"),
    (sa.Integer, "integer"),
    (sa.Float, "real"),
    (sa.DateTime, "instant"),
    (sa.JSON, "json"),
    (sa.LargeBinary, "bytes"),
    (sa.String, "text"),
)


def kind(column: sa.Column[Any]) -> str:
    """How a column's values stand in a backup: boolean, integer, real, instant, json, bytes or text."""
    return next(name for type_, name in _KINDS if isinstance(column.type, type_))


def encoded(kind_name: str, value: Any) -> Any:
    """A value of the database as JSON holds it."""
    if value is None:
        return None
    if kind_name == "instant":
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    return base64.b64encode(value).decode() if kind_name == "bytes" else value


def tables(connection: Connection) -> list[sa.Table]:
    """The tables that lie in the database, those that others refer to first."""
    metadata = sa.MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != REVISIONS]


def last_id(connection: Connection, table: sa.Table) -> int | None:
    """The highest id ever given in a table whose ids are never given twice; None where it has none."""
    if "id" not in table.c or kind(table.c.id) != "integer":
        return None
    if connection.dialect.name == "sqlite":
        query = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return int(connection.execute(query, {"name": table.name}).scalar() or 0)
    sequence = connection.execute(sa.select(sa.func.pg_get_serial_sequence(table.name, "id"))).scalar_one()
    state = connection.execute(sa.text(f"SELECT last_value, is_called FROM {sequence}")).one()  # noqa: S608
    return int(state.last_value) if state.is_called else 0


def write(engine: Engine, file: BinaryIO) -> dict[str, int]:
    """
    Write all tables as they are at one moment, while the server goes on.

    Returns:
        How many rows of each table.

    Raises:
        StoreError: The database cannot be read, or is empty.
    """
    digest = hashlib.sha256()
    counts: dict[str, int] = {}
    with (
        one_line(engine),
        _snapshot(engine) as connection,
        gzip.GzipFile(fileobj=file, mode="wb", mtime=0, compresslevel=6) as packed,
    ):

        def put(value: Any) -> None:
            line = json.dumps(value, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            packed.write(line)

        put(_head(connection))
        for table in tables(connection):
            counts[table.name] = 0
            for line in _lines(connection, table):
                put(line)
                counts[table.name] += isinstance(line, list)
        put({"end": True, "counts": counts, "sha256": digest.hexdigest()})
    return counts


def write_file(engine: Engine, path: Path) -> dict[str, int]:
    """
    A backup under a new name; what was cut short never bears it.

    Raises:
        InputError: Something has this name, or it cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        if path.exists():
            message = f"{path} is there already: a backup replaces nothing"
            raise InputError(message)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            counts = write(engine, file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}"
        raise InputError(message) from None
    finally:
        part.unlink(missing_ok=True)
    return counts


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    options = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    with engine.connect().execution_options(**options) as connection:
        yield connection


def _head(connection: Connection) -> dict[str, Any]:
    revision = migrate.current(connection)
    if revision is None:
        message = "there is nothing to back up: the database has no tables of Wirespeed"
        raise StoreError(message)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "version": VERSION,
        "schema": revision,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _lines(connection: Connection, table: sa.Table) -> Iterator[Any]:
    """A line that names a table and its columns, then one a row."""
    kinds = [kind(column) for column in table.columns]
    names = [[column.name, name] for column, name in zip(table.columns, kinds, strict=True)]
    yield {"table": table.name, "columns": names, "last_id": last_id(connection, table)}
    query = sa.select(table).order_by(*table.primary_key.columns).execution_options(yield_per=BATCH)
    for row in connection.execute(query):
        yield [encoded(name, value) for name, value in zip(kinds, row, strict=True)]
