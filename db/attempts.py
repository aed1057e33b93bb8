"""How often an address may do something in a minute, such as show a wrong token: then it waits."""

import threading
import time
from collections import deque
from collections.abc import Callable

MOST, WITHIN_S = 10, 60.0
MOST_ADDRESSES = 10_000


class Attempts:
    """
    Attempts by address in the last minute; safe between threads.

    Args:
        most: Attempts of an address in a minute; 10 for wrong tokens.
        clock: Seconds that never run backwards.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self.most = most
        self._clock = clock
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def wait_s(self, address: str) -> float:
        """Seconds until this address may try again; 0 where it may now."""
        now = self._clock()
        with self._lock:
            times = self._recent(address, now)
            return 0.0 if len(times) < self.most else times[0] + WITHIN_S - now

    def note(self, address: str) -> None:
        """Count one more."""
        now = self._clock()
        with self._lock:
            if len(self._times) >= MOST_ADDRESSES:
                self._times = {key: times for key, times in self._times.items() if _running(times, now)}
            if address in self._times or len(self._times) < MOST_ADDRESSES:
                times = self._recent(address, now)
                times.append(now)
                self._times[address] = times

    def _recent(self, address: str, now: float) -> deque[float]:
        times = self._times.get(address, deque(maxlen=self.most))
        while times and times[0] <= now - WITHIN_S:
            times.popleft()
        return times


def _running(times: deque[float], now: float) -> bool:
    return bool(times) and times[-1] > now - WITHIN_S
