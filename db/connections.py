"""Transactions on the store's database: to read, or to write, on a file that is still the one opened."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.engine import URL, Connection

from db import migrate
from db.damage import Damage
from db.database_file import DatabaseFile
from db.engine import WRITES, open_engine
from db.errors import StoreError, one_line


class Connections:
    """
    The connections of one database; safe to share between threads.

    Every method raises StoreError, one line, when the database cannot be used.
    """

    def __init__(self, url: URL) -> None:
        self._engine = open_engine(url)
        self._file = DatabaseFile(self._engine)
        self._damage = Damage(self._engine)
        self._is_refused = False

    def prepare(self) -> None:
        """Bring the schema up to date; safe for several processes starting at once."""
        self._is_refused = True
        with one_line(self._engine):
            migrate.upgrade(self._engine)
        self._is_refused = False
        self._file.remember()

    def close(self) -> None:
        """Give all connections back."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with."""
        self._same_file()
        with self._damage.noted(), one_line(self._engine), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is kept as a whole or not at all; none on a refused schema or a damaged file."""
        self._same_file()
        if self._is_refused:
            self.prepare()
        self._damage.refuse()
        with (
            self._damage.noted(),
            one_line(self._engine),
            self._engine.connect().execution_options(**WRITES) as connection,
            connection.begin(),
        ):
            yield connection
            if not self._file.check():
                message = "the database file was replaced while it was written to: try again"
                raise StoreError(message)

    def _same_file(self) -> None:
        """A file put in the place of the former one is brought up to date and used."""
        if not self._file.check():
            self.prepare()
