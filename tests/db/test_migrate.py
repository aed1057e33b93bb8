"""Migrations: the schema they make is the schema in code, whoever and however many start them."""

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from db import migrate
from db.engine import WRITES, open_engine, parse
from db.errors import StoreError
from db.schema import METADATA
from db.store import Store
from tests.db.examples import simple

ROOT = Path(__file__).resolve().parents[2]
START_TOGETHER = """
import multiprocessing, sys
from db.store import Store

processes = multiprocessing.get_context("fork")
at_once = processes.Barrier(4)

def start():
    store = Store(sys.argv[1])
    at_once.wait()
    store.prepare()
    print(store.obstacle() is None, flush=True)

started = [processes.Process(target=start) for _ in range(4)]
for process in started:
    process.start()
for process in started:
    process.join()
"""


@pytest.fixture
def engine(url):
    """An engine on an empty database."""
    made = open_engine(parse(url))
    yield made
    made.dispose()


def test_migrations_make_exactly_the_schema_in_code(engine):
    """Nothing is missing and nothing is left over between the migrations and schema.py."""
    migrate.upgrade(engine)

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
        assert migrate.current(connection) == migrate.head()


def test_foreign_keys_and_uniqueness_are_the_schemas(engine):
    """Deleting a run for good takes its parts along, on both engines."""
    migrate.upgrade(engine)
    with engine.connect() as connection:
        inspector = sa.inspect(connection)
        for table in METADATA.tables.values():
            expected = {
                (element.parent.name, element.column.table.name, element.ondelete)
                for element in (key.elements[0] for key in table.foreign_key_constraints)
            }
            found = {
                (key["constrained_columns"][0], key["referred_table"], key["options"].get("ondelete"))
                for key in inspector.get_foreign_keys(table.name)
            }
            assert found == expected, table.name


def test_a_second_start_leaves_the_data_alone(engine):
    """Preparing a prepared database touches no row."""
    migrate.upgrade(engine)
    tag = {"fingerprint": "f", "gpu": "g", "gpu_count": 1, "host_count": 1}
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        connection.execute(METADATA.tables["machines"].insert(), tag)
    migrate.upgrade(engine)

    with engine.connect() as connection:
        found = connection.execute(sa.select(METADATA.tables["machines"].c.gpu)).scalars().all()
    assert found == ["g"]


def test_migrations_can_be_taken_back(engine):
    """Downgrading to the beginning leaves no table of ours."""
    migrate.upgrade(engine)
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        config = migrate.alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "base")

    with engine.connect() as connection:
        assert set(sa.inspect(connection).get_table_names()) <= {"alembic_version", "sqlite_sequence"}


def test_a_migration_that_breaks_leaves_the_database_as_it_was(engine):
    """Both engines change a schema in one transaction: a half-made table stops all of it."""
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        connection.execute(sa.text("CREATE TABLE fits (x INTEGER)"))
    with pytest.raises(sa.exc.DBAPIError):
        migrate.upgrade(engine)

    with engine.connect() as connection:
        assert sa.inspect(connection).get_table_names() == ["fits"]


def test_four_processes_starting_at_once_prepare_one_database(url):
    """All four succeed, and the schema was made once."""
    done = subprocess.run(
        [sys.executable, "-c", START_TOGETHER, url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (done.stdout, done.stderr) == ("True\n" * 4, "")
    store = Store(url)
    assert store.obstacle() is None
    store.close()


def test_a_database_from_a_newer_version_is_left_alone(url):
    """An older program says so in one line and takes no run, until its own schema is there again."""
    store = Store(url)
    store.prepare()
    engine = open_engine(parse(url))
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'from_the_future'"))
    engine.dispose()

    assert store.obstacle()
    with pytest.raises(StoreError, match=f"newer than this program's {migrate.head()}: update Wirespeed"):
        store.prepare()
    with pytest.raises(StoreError, match="newer than this program's"):
        store.save([simple()])
    assert store.run_count() == 0
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        connection.execute(
            sa.text("UPDATE alembic_version SET version_num = :head"), {"head": migrate.head()}
        )
    engine.dispose()
    assert store.save([simple()])[0].new
    store.close()


def test_sqlite_is_opened_as_documented(tmp_path):
    """Write-ahead log, foreign keys on, and a wait instead of an error when another writes."""
    engine = open_engine(parse(f"sqlite:///{tmp_path / 'a.db'}"))
    with engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    engine.dispose()

    assert found == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 60_000}


def test_the_data_folder_is_made_at_need(tmp_path, monkeypatch):
    """WIRESPEED_DATA_DIR may name a folder that does not exist yet."""
    monkeypatch.delenv("WIRESPEED_DATABASE_URL", raising=False)
    monkeypatch.setenv("WIRESPEED_DATA_DIR", str(tmp_path / "new" / "folder"))
    store = Store()
    store.prepare()
    store.close()

    assert (tmp_path / "new" / "folder" / "wirespeed.db").is_file()
