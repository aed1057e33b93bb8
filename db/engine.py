"""Where the database is and how it is opened: SQLite in a file, or PostgreSQL by its address."""

import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url

from core.checks import InputError
from db.errors import StoreError
from db.secret import secret

BUSY_TIMEOUT_MS = 60_000
CONNECT_TIMEOUT_S = 5
NO_ENCODING = "SQL_ASCII"
WRITES = {"writes": True}
PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}",
    "PRAGMA cache_size=-65536",
    "PRAGMA temp_store=MEMORY",
)


def database_url() -> str:
    """WIRESPEED_DATABASE_URL or its file, else wirespeed.db in WIRESPEED_DATA_DIR (./var)."""
    url = secret("WIRESPEED_DATABASE_URL")
    if url:
        return url
    folder = Path(os.environ.get("WIRESPEED_DATA_DIR", "").strip() or "var")
    return str(URL.create("sqlite", database=str(folder.absolute() / "wirespeed.db")))


def parse(url: str) -> URL:
    """
    The address of a database, with our driver for PostgreSQL.

    Raises:
        InputError: Not an address, or another kind of database.
    """
    try:
        parsed = make_url(url)
    except (sa.exc.ArgumentError, ValueError):  # the latter: a port that is no number
        message = "WIRESPEED_DATABASE_URL: sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"
        raise InputError(message) from None
    backend = parsed.get_backend_name()
    if backend in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        message = f"WIRESPEED_DATABASE_URL: sqlite or postgresql, not {backend}"
        raise InputError(message)
    if not parsed.database or parsed.database == ":memory:":
        message = "WIRESPEED_DATABASE_URL: SQLite needs a file, as sqlite:////data/wirespeed.db"
        raise InputError(message)
    return parsed


def open_engine(url: URL) -> Engine:
    """An engine for ``url``; nothing is opened before the first use."""
    if url.get_backend_name() == "sqlite":
        engine = sa.create_engine(url, pool_size=10, max_overflow=54, pool_timeout=BUSY_TIMEOUT_MS / 1000)
        sa.event.listen(engine, "connect", _set_pragmas)
        sa.event.listen(engine, "begin", _begin)
        return engine
    engine = sa.create_engine(
        url,
        pool_size=10,
        max_overflow=10,
        pool_timeout=BUSY_TIMEOUT_MS / 1000,
        pool_pre_ping=True,
        # compiling a plan takes longer than any question here
        connect_args={"connect_timeout": CONNECT_TIMEOUT_S, "options": "-c jit=off"},
    )
    # before SQLAlchemy asks for the version, whose text no driver can read there
    sa.event.listen(engine, "connect", _need_encoding, insert=True)
    return engine


def _need_encoding(connection: Any, _record: object) -> None:
    """Refuse a database that does not say what its texts mean, as ``initdb`` makes one without a locale."""
    if connection.info.parameter_status("server_encoding") == NO_ENCODING:
        message = (
            f"the database {connection.info.dbname} has the encoding {NO_ENCODING}: make it with "
            "CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0"
        )
        raise StoreError(message)


def _set_pragmas(connection: Any, _record: object) -> None:
    # None: transactions begin where we say, also around the statements of a migration
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    # A reader that turns writer fails at once when another wrote meanwhile: writers say so first.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
