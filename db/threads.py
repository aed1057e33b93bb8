"""Work that an event loop hands to threads, a few pieces at the same time."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread

Given = TypeVarTuple("Given")
Result = TypeVar("Result")


class Few:
    """
    Room for so many pieces of work; others wait for their turn.

    Args:
        most: At the same time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limiter: CapacityLimiter | None = None

    @property
    def limiter(self) -> CapacityLimiter:
        """The room, made at its first use: it belongs to the event loop that runs then."""
        self._limiter = self._limiter or CapacityLimiter(self._most)
        return self._limiter

    @property
    def waiting(self) -> int:
        """Pieces of work that wait for their turn now."""
        return self.limiter.statistics().tasks_waiting

    async def run(self, work: Callable[[*Given], Result], *given: *Given) -> Result:
        """What the work gives, done by a thread of its own."""
        return await to_thread.run_sync(work, *given, limiter=self.limiter)
