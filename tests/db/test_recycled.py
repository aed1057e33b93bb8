"""Tests on PostgreSQL share a database, and none finds what another has left."""

import pytest
import sqlalchemy as sa

from db.engine import open_engine, parse
from db.store import Store
from tests.db.examples import simple
from tests.postgres import patient
from tests.server import START_S

pytestmark = pytest.mark.postgres


def kept(url):
    """A run kept there, by its number."""
    store = Store(url)
    (saved,) = store.save([simple(1)])
    assert (saved.new, store.obstacle()) == (True, None)
    store.close()
    return saved.id


COLUMN = "FROM information_schema.columns WHERE table_name = 'runs' AND column_name = 'identity'"


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ("SELECT 1", "SELECT false"),
        (
            "ALTER TABLE runs ADD COLUMN more int",
            "SELECT EXISTS (SELECT FROM information_schema.columns WHERE column_name = 'more')",
        ),
        ("DELETE FROM alembic_version", "SELECT NOT EXISTS (SELECT FROM alembic_version)"),
        ("ALTER TABLE runs ALTER COLUMN identity SET DEFAULT 'none'", f"SELECT column_default > '' {COLUMN}"),
        (
            "ALTER TABLE runs ALTER COLUMN identity TYPE varchar(99)",
            f"SELECT character_maximum_length = 99 {COLUMN}",
        ),
        (
            "DROP INDEX ix_runs_identity; CREATE INDEX ix_runs_identity ON runs (identity DESC)",
            "SELECT indexdef LIKE '%DESC%' FROM pg_indexes WHERE indexname = 'ix_runs_identity'",
        ),
        ("GRANT DELETE ON runs TO PUBLIC", "SELECT relacl IS NOT NULL FROM pg_class WHERE relname = 'runs'"),
    ],
    ids=["nothing", "column", "version", "default", "length", "index", "grant"],
)
def test_a_database_is_as_it_was_prepared(prepared_database, change, shown):
    """Rows are gone, numbers begin anew, a changed schema is made again; a transaction left open is ended."""
    first = kept(prepared_database.emptied())
    engine = open_engine(parse(prepared_database.url))
    with engine.begin() as connection:
        connection.execute(sa.text(change))
        assert connection.scalar(sa.text(shown)) is (change != "SELECT 1")
    forgotten = engine.connect()
    forgotten.execute(sa.text("LOCK TABLE tags"))

    assert kept(prepared_database.emptied()) == first
    forgotten.invalidate()
    with engine.connect() as connection:
        assert not connection.scalar(sa.text(shown))
    engine.dispose()


def test_a_start_may_take_longer_than_its_package_thinks():
    """Ten seconds are too few on a busy machine; a command without a limit keeps none."""
    limit = patient(lambda *_, timeout: timeout)

    assert limit("pg_ctl", timeout=10) == START_S
    assert limit("initdb") is None
