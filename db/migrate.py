"""Brings a database to the newest schema, once, however many processes start together."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine

from db.engine import WRITES
from db.errors import StoreError

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: BEGIN IMMEDIATE alone
    fcntl = None  # type: ignore[assignment]

MIGRATIONS = Path(__file__).with_name("migrations")
ADVISORY_LOCK = 0x77697265  # "wire"
_ONE_THREAD = threading.Lock()  # alembic.context is one per process


def alembic_config() -> Config:
    """Alembic's settings, in code: the folder beside this file, no ini file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def head() -> str:
    """The revision this program needs; found once, for it reads every migration."""
    newest = ScriptDirectory.from_config(alembic_config()).get_current_head()
    if newest is None:  # pragma: no cover - the first migration is part of the program
        message = "no migrations were installed with this program"
        raise StoreError(message)
    return newest


def current(connection: Connection) -> str | None:
    """The revision the database has; None before the first migration."""
    return MigrationContext.configure(connection).get_current_revision()


def revisions() -> frozenset[str]:
    """Every revision that this program knows."""
    return frozenset(
        script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()
    )


def run(connection: Connection, revision: str) -> None:
    """Bring the schema to ``revision`` within a transaction of ``locked``."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def upgrade(engine: Engine) -> str | None:
    """
    Run what is missing, in one transaction and under a lock on both engines.

    Returns:
        The revision before; None where there was no table.

    Raises:
        StoreError: The database comes from a newer version of this program.
    """
    with locked(engine) as connection:
        revision = current(connection)
        if revision == head():
            return revision
        try:
            run(connection, "head")
        except CommandError as error:
            message = (
                f"the database has schema {revision}, newer than this program's {head()}: update Wirespeed"
            )
            raise StoreError(message) from error
    return revision


@contextmanager
def locked(engine: Engine) -> Iterator[Connection]:
    """A transaction that alone may change the schema, however many processes ask for it."""
    with (
        _ONE_THREAD,
        _file_lock(engine),
        engine.connect().execution_options(**WRITES) as connection,
        connection.begin(),
    ):
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK)))
        yield connection


@contextmanager
def _file_lock(engine: Engine) -> Iterator[None]:
    """On SQLite: one process at a time, also while the file itself is being made."""
    database = engine.url.database
    if engine.dialect.name != "sqlite" or database is None or fcntl is None:
        yield
        return
    path = Path(database)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(path.name + ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
