"""Checks of what comes in: one clear sentence that names the argument, never a wrong answer."""

import math
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import InputError

__all__ = ["Floats", "InputError", "alternatives", "choice", "count", "number", "optional_number", "sizes"]

Floats = NDArray[np.float64]
MOST_LISTED = 13
"""Words that an error lists in full."""
SMALLEST = 1e-30
"""What has to be above zero is at least this: dividing by less overflows."""
CLOSE = 3
"""Words that it names of more."""
MOST_COMPARED = 80


def count(name: str, value: Any, *, least: int = 1, most: int | None = None) -> int:
    """An integer of at least ``least``; a bool, a fraction, NaN or infinity is refused."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if isinstance(value, (float, np.floating)) and math.isfinite(value) and value == int(value):
        whole = True
    if not whole:
        message = f"{name}: a whole number, not {value!r}"
        raise InputError(message)
    number = int(value)
    if number < least or (most is not None and number > most):
        span = f"at least {least}" if most is None else f"from {least} to {most}"
        message = f"{name}: a whole number {span}, not {number}"
        raise InputError(message)
    return number


def number(
    name: str,
    value: object,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> float:
    """
    A finite float, above ``above``, at least ``least`` and at most ``most`` where given.

    Above zero means at least ``SMALLEST``.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        message = f"{name}: a number, not {value!r}"
        raise InputError(message)
    try:
        real = float(value)
    except OverflowError:
        real = math.inf if value > 0 else -math.inf
    if above == 0 and 0 < real < SMALLEST:
        above, least = None, SMALLEST
    bounds = {
        f"above {above:g}" if above is not None else "": above is None or real > above,
        f"at least {least:g}" if least is not None else "": least is None or real >= least,
        f"at most {most:g}" if most is not None else "": most is None or real <= most,
    }
    if not math.isfinite(real) or not all(bounds.values()):
        rule = " ".join(["a finite number", " and ".join(text for text in bounds if text)]).strip()
        message = f"{name}: {rule}, not {real:g}"
        raise InputError(message)
    return real


def optional_number(
    name: str,
    value: object,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> None:
    """Refuse what ``number`` refuses; None is allowed."""
    if value is not None:
        number(name, value, above=above, least=least, most=most)


def sizes(name: str, value: ArrayLike) -> Floats:
    """Byte counts as a float array: finite and not negative."""
    array = np.asarray(value)
    if array.dtype == bool or array.dtype.kind not in "iuf":
        message = f"{name}: numbers of bytes, not {value!r}"
        raise InputError(message)
    floats = array.astype(np.float64)
    if not np.all(np.isfinite(floats)) or np.any(floats < 0):
        message = f"{name}: finite and not negative"
        raise InputError(message)
    return floats


def choice(name: str, value: str, allowed: Iterable[str], *, listed: str = "") -> str:
    """One of the allowed words; the message lists them, or of many the closest and who lists all."""
    words = list(allowed)
    if value not in words:
        message = f"{name}: {value!r} is unknown; {alternatives(value, words, listed)}"
        raise InputError(message)
    return value


def alternatives(value: object, words: Sequence[str], listed: str = "") -> str:
    """
    What may be written in place of an unknown word.

    All words where they are few; of more than ``MOST_LISTED`` the three closest, how many there are, and
    who lists them.
    """
    if len(words) <= MOST_LISTED:
        return f"one of {', '.join(words)}"
    text = str(value)[:MOST_COMPARED].lower()

    def likeness(word: str) -> float:
        begins = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, word.lower(), strict=False))
        )
        return begins / max(1, len(text)) + SequenceMatcher(None, text, word.lower()).ratio()

    close = sorted(words, key=likeness, reverse=True)[:CLOSE]
    closest = f"closest of {len(words)}: {', '.join(close)}"
    return f"{closest}; {listed} lists all" if listed else closest
