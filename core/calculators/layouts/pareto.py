"""The Pareto set: what nothing else beats in both respects at once."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def pareto(
    items: Sequence[Item], first: Callable[[Item], float], second: Callable[[Item], float]
) -> list[Item]:
    """Items that are smallest in ``first`` for their ``second`` and the other way round, by ``first``."""
    best: list[Item] = []
    least = float("inf")
    for item in sorted(items, key=lambda one: (first(one), second(one))):
        if second(item) < least:
            best.append(item)
            least = second(item)
    return best
