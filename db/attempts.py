"""How often an address may show a wrong token: ten times a minute, then it waits."""

import threading
import time
from collections import deque
from collections.abc import Callable

MOST, WITHIN_S = 10, 60.0
MOST_ADDRESSES = 10_000


class Attempts:
    """
    Wrong tokens by address in the last minute; safe between threads.

    Args:
        clock: Seconds that never run backwards.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def wait_s(self, address: str) -> float:
        """Seconds until this address may try again; 0 where it may now."""
        now = self._clock()
        with self._lock:
            times = self._recent(address, now)
            return 0.0 if len(times) < MOST else times[0] + WITHIN_S - now

    def failed(self, address: str) -> None:
        """Note a wrong token."""
        now = self._clock()
        with self._lock:
            if len(self._failures) >= MOST_ADDRESSES:
                self._failures = {
                    key: times for key, times in self._failures.items() if times[-1] > now - WITHIN_S
                }
            if address in self._failures or len(self._failures) < MOST_ADDRESSES:
                times = self._recent(address, now)
                times.append(now)
                self._failures[address] = times

    def _recent(self, address: str, now: float) -> deque[float]:
        times = self._failures.get(address, deque(maxlen=MOST))
        while times and times[0] <= now - WITHIN_S:
            times.popleft()
        return times
