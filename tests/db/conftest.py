"""A fresh database for each test: a SQLite file, and a real PostgreSQL started once a session."""

import itertools
import os
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from db.store import Store
from tests.db.recycled import Recycled, address, administrator
from tests.db.visitor import Visitor
from tests.postgres import postgres

ENGINES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgres))
_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres_uri():
    """The address of a PostgreSQL on a socket of its own; stopped and removed at the end."""
    with (
        tempfile.TemporaryDirectory(prefix="wirespeed-pg-") as folder,
        postgres(Path(folder)) as server,
    ):
        _never_wait_for_the_disk(server.get_uri())
        yield server.get_uri()


def _never_wait_for_the_disk(server):
    """Tests kill writers, never the server: what the server was told outlives them without fsync, and nothing grows old."""
    with administrator(server) as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
            connection.execute(sa.text(f"ALTER SYSTEM SET {name} = off"))
        connection.execute(sa.text("SELECT pg_reload_conf()"))


@pytest.fixture(scope="session")
def prepared_database(postgres_uri):
    """A store on PostgreSQL with the newest schema, emptied for each test."""
    return Recycled(postgres_uri, f"prepared_{os.getpid()}")


@pytest.fixture(params=ENGINES)
def url(request, tmp_path):
    """The address of an empty database, once on each engine; with the schema, where the test takes ``store``."""
    prepared = "store" in request.fixturenames
    if request.param == "sqlite":
        path = tmp_path / "wirespeed.db"
        if prepared:
            shutil.copy(request.getfixturevalue("prepared_file"), path)
        yield f"sqlite:///{path}"
        return
    if prepared:
        yield request.getfixturevalue("prepared_database").emptied()
        return
    server = request.getfixturevalue("postgres_uri")
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with administrator(server) as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield address(server, name)
    with administrator(server) as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def store(url):
    """A prepared, empty store."""
    made = Store(url)
    made.prepare()
    yield made
    made.close()


@pytest.fixture
def no_settings(monkeypatch):
    """Without the settings of uploads that the shell around may have."""
    for name in ("WIRESPEED_API_TOKEN", "WIRESPEED_API_TOKEN_FILE", "WIRESPEED_MAX_UPLOAD_MB"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def visitor(store, no_settings):
    """Makes programs that ask from a given address; all are closed at the end."""
    with ExitStack() as open_ones:
        yield lambda *place, **options: open_ones.enter_context(Visitor(store, *place, **options))


@pytest.fixture
def client(visitor):
    """A program on this machine."""
    return visitor()
