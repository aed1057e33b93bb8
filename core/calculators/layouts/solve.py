"""Where along one input a sign or a choice changes, searched on a logarithmic scale."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.checks import InputError, number

Choice = TypeVar("Choice")
STEPS = 12
HALVINGS_OF_A_SIGN = 24
HALVINGS_OF_A_CHOICE = 16


@dataclass(frozen=True, slots=True)
class Change(Generic[Choice]):
    """The value at which a choice first changes, and what is chosen there."""

    value: float
    choice: Choice


def crossing(difference: Callable[[float], float], low: float, high: float) -> float | None:
    """
    The first value between ``low`` and ``high`` at which ``difference`` changes its sign.

    None where it has the same sign at every point of the search.

    Raises:
        InputError: ``low`` not positive, or ``high`` not above it.
    """
    least = number("low", low, above=0)
    most = number("high", high, above=0)
    if most <= least:
        message = f"high: above low {least:g}, not {most:g}"
        raise InputError(message)
    ratio = (most / least) ** (1 / STEPS)
    before, sign = least, difference(least) > 0
    for step in range(1, STEPS + 1):
        value = least * ratio**step
        if (difference(value) > 0) != sign:
            return _bisect(lambda item: (difference(item) > 0) == sign, before, value, HALVINGS_OF_A_SIGN)
        before = value
    return None


def last_crossing(difference: Callable[[float], float], low: float, high: float) -> float | None:
    """The value beyond which ``difference`` keeps its sign up to ``high``; None where it never changes."""
    mirrored = crossing(lambda value: difference(low * high / value), low, high)
    return None if mirrored is None else low * high / mirrored


def first_change(choose: Callable[[float], Choice], start: float, end: float) -> Change[Choice] | None:
    """From ``start`` to ``end``, where the choice first changes and to what; None if it never does."""
    first = choose(start)
    ratio = (end / start) ** (1 / STEPS)
    before = start
    for step in range(1, STEPS + 1):
        value = start * ratio**step
        if choose(value) != first:
            changed = _bisect(lambda item: choose(item) == first, before, value, HALVINGS_OF_A_CHOICE)
            return Change(changed, choose(changed))
        before = value
    return None


def _bisect(unchanged: Callable[[float], bool], inside: float, outside: float, halvings: int) -> float:
    for _ in range(halvings):
        middle = math.sqrt(inside * outside)
        inside, outside = (middle, outside) if unchanged(middle) else (inside, middle)
    return outside
