"""The Pareto front: what nothing else beats in both respects at once."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def pareto_front(
    items: Sequence[Item], first: Callable[[Item], float], second: Callable[[Item], float]
) -> list[Item]:
    """Items with the smallest ``second`` for their ``first``, ascending in ``first``."""
    front: list[Item] = []
    least = float("inf")
    for item in sorted(items, key=lambda candidate: (first(candidate), second(candidate))):
        if second(item) < least:
            front.append(item)
            least = second(item)
    return front
