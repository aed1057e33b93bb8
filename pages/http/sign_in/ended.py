"""What counts no more before its time: sessions that were signed out of, and sign-ins that were used."""

import hashlib
import threading
import time
from datetime import UTC, datetime
from typing import Protocol

from db import log
from db.errors import StoreError

FRESH_S = 1.0
"""So long a process goes by what it last read; then it reads again what others have noted."""
RETRY_S = 5.0
"""So long it leaves a store alone that did not answer."""


class Shared(Protocol):
    """Where all processes note it."""

    def spend(self, sha256: str, ends_at: datetime) -> bool:
        """Note it; whether nobody had before."""

    def spent(self) -> dict[str, datetime]:
        """Everything that is noted, and when it would have ended."""


class Ended:
    """
    Hashes of what counts no more and when it would have ended; safe between threads.

    What this process notes counts here at once, what another notes within a second. A store that does not
    answer keeps nobody out: meanwhile each process goes by what it knows.
    """

    def __init__(self) -> None:
        self._ends: dict[str, float] = {}
        self._shared: Shared | None = None
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._due = 0.0

    def share(self, shared: Shared | None) -> None:
        """From now on note it for all processes too, and go by what they note; None for this one alone."""
        self._shared, self._due = shared, 0.0

    def add(self, text: str, ends_at: float) -> bool:
        """Refuse a session or a sign-in from now on, in every process; whether nobody had before."""
        key = _key(text)
        with self._lock:
            is_first = key not in self._ends
            self._ends = _running(self._ends) | {key: ends_at}
        if self._shared is None:
            return is_first
        try:
            return self._shared.spend(key, datetime.fromtimestamp(ends_at, UTC)) and is_first
        except StoreError as outage:
            log.once(str(outage))
            return is_first

    def is_due(self) -> bool:
        """Whether ``recall`` would ask the store."""
        return self._shared is not None and time.monotonic() >= self._due

    def recall(self) -> None:
        """Learn what other processes noted, once a second at most; other threads do not wait for it."""
        shared = self._shared
        if shared is None or not self.is_due() or not self._reading.acquire(blocking=False):
            return
        pause = RETRY_S
        try:
            noted = {key: moment.timestamp() for key, moment in shared.spent().items()}
            with self._lock:
                self._ends = _running(self._ends | noted)
            pause = FRESH_S
        except StoreError as outage:
            log.once(str(outage))
        finally:
            self._due = time.monotonic() + pause
            self._reading.release()

    def __contains__(self, text: str) -> bool:
        return _key(text) in self._ends


def _running(ends: dict[str, float]) -> dict[str, float]:
    now = time.time()
    return {key: end for key, end in ends.items() if end > now}


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


ENDED = Ended()
"""Those of this process, for its pages, files and websockets alike."""
