"""Sessions that were signed out of before their end: this process refuses them until then."""

import hashlib
import threading
import time


class EndedSessions:
    """Hashes of sessions and when each would have ended; safe between threads."""

    def __init__(self) -> None:
        self._ends: dict[bytes, float] = {}
        self._lock = threading.Lock()

    def add(self, session: str, ends_at: float) -> None:
        """Refuse a session from now on; those whose time is over are forgotten."""
        now = time.time()
        with self._lock:
            self._ends = {key: end for key, end in self._ends.items() if end > now}
            self._ends[_key(session)] = ends_at

    def __contains__(self, session: str) -> bool:
        return _key(session) in self._ends


def _key(session: str) -> bytes:
    return hashlib.sha256(session.encode()).digest()


ENDED = EndedSessions()
"""Those of this process, for its pages, files and websockets alike."""
