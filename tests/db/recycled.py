"""A prepared store on PostgreSQL that one test after another takes: to copy and drop it costs more than most tests."""

from contextlib import contextmanager

import sqlalchemy as sa

from db.engine import open_engine, parse
from db.store import Store

ALONE = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
"""Ends what a test has left connected."""
EMPTY = """
DO $$
DECLARE place record; filled boolean;
BEGIN
    FOR place IN SELECT tablename FROM pg_tables
        WHERE schemaname = 'public' AND tablename NOT IN ('alembic_version')
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', place.tablename) INTO filled;
        IF filled THEN EXECUTE format('TRUNCATE %I CASCADE', place.tablename); END IF;
    END LOOP;
    FOR place IN SELECT sequencename, start_value FROM pg_sequences WHERE last_value IS NOT NULL LOOP
        PERFORM setval(place.sequencename::text::regclass, place.start_value, false);
    END LOOP;
END $$
"""
"""Takes every row out and numbers from the start again."""
SHAPE = """
SELECT md5(string_agg(part, ',' ORDER BY part)) FROM (
    SELECT concat_ws(' ', c.relname, c.relkind, c.relacl, a.attname, a.attacl, a.attisdropped, a.attnotnull,
        format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid)) AS part
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_viewdef(oid) FROM pg_class
    WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT concat_ws(' ', conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', tgname, tgenabled, pg_get_triggerdef(oid)) FROM pg_trigger
    UNION ALL SELECT concat_ws(' ', oid::regprocedure, md5(prosrc), proacl) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', sequencename, data_type, start_value, increment_by, max_value, cycle)
    FROM pg_sequences WHERE schemaname = 'public'
    UNION ALL SELECT version_num FROM alembic_version
    UNION ALL SELECT array_to_string(setconfig, ' ') FROM pg_db_role_setting
) AS parts
"""
"""What of a database must be as it was prepared for another test to take it."""


@contextmanager
def administrator(server):
    """A connection that makes and drops databases, or empties one."""
    engine = open_engine(parse(server)).execution_options(isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def address(server, name):
    """The address of a database of this server."""
    return parse(server).set(database=name).render_as_string(hide_password=False)


class Recycled:
    """A database with the newest schema on a server."""

    def __init__(self, server, name):
        """Make and prepare it."""
        self._server, self._name = server, name
        self.url = address(server, name)
        self._make()

    def _make(self):
        with administrator(self._server) as connection:
            connection.execute(sa.text(f"DROP DATABASE IF EXISTS {self._name} WITH (FORCE)"))
            connection.execute(sa.text(f"CREATE DATABASE {self._name}"))
        store = Store(self.url)
        store.prepare()
        store.close()
        with administrator(self.url) as connection:
            self._shape = connection.scalar(sa.text(SHAPE))

    def emptied(self):
        """Its address, without a row or a connection; made anew where a test has changed more than rows."""
        with administrator(self.url) as connection:
            connection.execute(sa.text(ALONE))
            unchanged = connection.scalar(sa.text(SHAPE)) == self._shape
            if unchanged:
                connection.execute(sa.text(EMPTY))
        if not unchanged:
            self._make()
        return self.url
