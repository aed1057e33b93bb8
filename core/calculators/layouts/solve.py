"""Where along one input a sign changes, searched on a logarithmic scale."""

import math
from collections.abc import Callable

from core.checks import InputError, number

STEPS = 12
HALVINGS = 24


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
            return _bisect(lambda item: (difference(item) > 0) == sign, before, value, HALVINGS)
        before = value
    return None


def last_crossing(difference: Callable[[float], float], low: float, high: float) -> float | None:
    """The value beyond which ``difference`` keeps its sign up to ``high``; None where it never changes."""
    mirrored = crossing(lambda value: difference(low * high / value), low, high)
    return None if mirrored is None else low * high / mirrored


def _bisect(unchanged: Callable[[float], bool], inside: float, outside: float, halvings: int) -> float:
    for _ in range(halvings):
        middle = math.sqrt(inside * outside)
        inside, outside = (middle, outside) if unchanged(middle) else (inside, middle)
    return outside
