"""Tests on PostgreSQL share a database, and none finds what another has left."""

import pytest
import sqlalchemy as sa

from db.engine import open_engine, parse
from db.store import Store
from tests.db.examples import simple

pytestmark = pytest.mark.postgres


def kept(url):
    """A run kept there, by its number."""
    store = Store(url)
    (saved,) = store.save([simple(1)])
    assert (saved.new, store.obstacle()) == (True, None)
    store.close()
    return saved.id


@pytest.mark.parametrize(
    "change", ["ALTER TABLE runs ADD COLUMN more int", "DELETE FROM alembic_version", "SELECT 1"]
)
def test_a_database_is_as_it_was_prepared(prepared_database, change):
    """Rows are gone, numbers begin anew, a changed schema is made again; a transaction left open is ended."""
    first = kept(prepared_database.emptied())
    engine = open_engine(parse(prepared_database.url))
    with engine.begin() as connection:
        connection.execute(sa.text(change))
    forgotten = engine.connect()
    forgotten.execute(sa.text("LOCK TABLE tags"))

    assert kept(prepared_database.emptied()) == first
    forgotten.invalidate()
    engine.dispose()
