"""Whether SQLite's file is still the one that was opened: a deleted file can be written to, and is lost."""

import threading
from pathlib import Path

from sqlalchemy.engine import Engine

from db.errors import StoreError


class DatabaseFile:
    """
    The file behind an engine; nothing to watch on PostgreSQL.

    Args:
        engine: Its connections are given up once the file is gone.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        name = engine.url.database if engine.url.get_backend_name() == "sqlite" else None
        self._path = Path(name) if name else None
        self._identity: tuple[int, int] | None = None
        self._lock = threading.Lock()

    def remember(self) -> None:
        """The file that lies there now is the database."""
        self._identity = self._seen()

    def check(self) -> bool:
        """
        Whether the file is the one remembered; False where another lies in its place now.

        Raises:
            StoreError: It is gone: what would be written now is lost.
        """
        if self._path is None or self._identity is None:
            return True
        seen = self._seen()
        if seen == self._identity:
            return True
        with self._lock:
            self._engine.dispose()
        if seen is None:
            message = f"the database file {self._path} is gone: put it back, or restart for an empty one"
            raise StoreError(message)
        return False

    def _seen(self) -> tuple[int, int] | None:
        try:
            status = self._path.stat() if self._path else None
        except OSError:
            return None
        return (status.st_dev, status.st_ino) if status else None
