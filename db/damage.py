"""A damaged SQLite file may still take writes that nobody can read later: none until it is whole again."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from db.errors import StoreError, one_line

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIMARY_CODE = 0xFF
"""The lowest byte of an extended error code."""


class Damage:
    """
    What was seen of damage to the file behind an engine; nothing is, on PostgreSQL.

    Args:
        engine: Its connections are given up once damage is seen: each may hold pages from before.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_seen = False

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Remember damage that a use of the database meets."""
        try:
            yield
        except StoreError as problem:
            code = getattr(getattr(problem.__cause__, "orig", None), "sqlite_errorcode", 0)
            if code & _PRIMARY_CODE in DAMAGED:
                self._is_seen = True
                self._engine.dispose()
            raise

    def refuse(self) -> None:
        """
        Read the whole file anew where damage was seen.

        Raises:
            StoreError: It is damaged still.
        """
        if not self._is_seen:
            return
        with self.noted(), one_line(self._engine), self._engine.connect() as connection:
            first = connection.execute(sa.text("PRAGMA quick_check(1)")).scalar()
        if first != "ok":
            message = "the database file is malformed: restore a backup; no run is taken until then"
            raise StoreError(message)
        self._is_seen = False
