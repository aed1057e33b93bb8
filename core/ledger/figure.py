"""Figure: one published number of a claim, beside the same quantity as the calculators compute it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core import units

UNITS = {
    "B": 1.0,
    "kB": units.KB,
    "MB": units.MB,
    "GB": units.GB,
    "GiB": units.GIB,
    "TB": units.TB,
    "GB/s": units.GB,
    "TB/s": units.TB,
    "PB/s": 1e15,
    "Gb/s": units.GIGABIT_BYTES,
    "Tb/s": 1000 * units.GIGABIT_BYTES,
    "us": units.US,
    "ms": units.MS,
    "s": 1.0,
    "%": 0.01,
    "k$/day": 1e3,
    "k$/month": 1e3,
    "M parameters": 1e6,
    "T parameters": 1e12,
    "PFLOP/s": 1e15,
}
"""SI value of one printed unit; any other unit (GPUs, ports, times) counts as one."""

TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class Computed:
    """A function of the product with its arguments: called when asked, never stored as a number."""

    function: Callable[..., float]
    arguments: tuple[Any, ...] = ()

    @property
    def value(self) -> float:
        """What it gives, in SI."""
        return _value(self)


@lru_cache(maxsize=1024)
def _value(computed: Computed) -> float:
    return float(computed.function(*computed.arguments))


@dataclass(frozen=True, slots=True)
class Figure:
    """
    One number of a claim.

    Attributes:
        what: The quantity, in a few words.
        unit: Of the print and of both values; a key of ``UNITS``, or the name of a count.
        low, high: As printed, equal for a single number, ``high`` infinite for "500+"; None where
            the document lost the number or only we can say one.
        ours: The quantity as our calculators count it: per direction, with the traffic of a ring.
        theirs: The same by the claim's convention; None where that is the same.
        tolerance: How far a value may lie from the print and still agree, as a share of it.
        worded: The print is a word ("doubled", "half"), not a numeral.
    """

    what: str
    unit: str
    low: float | None
    high: float | None
    ours: Computed | None = None
    theirs: Computed | None = None
    tolerance: float = TOLERANCE
    worded: bool = False

    @property
    def printed(self) -> bool:
        """True where the document shows a number to compare with."""
        return self.low is not None

    @property
    def our_value(self) -> float | None:
        """Ours, in the unit of the print."""
        return self._in_unit(self.ours)

    @property
    def their_value(self) -> float | None:
        """The claim's way of counting, in the unit of the print."""
        return self._in_unit(self.theirs)

    def agrees(self, value: float | None) -> bool | None:
        """Whether a value lies within the tolerance of the print; None where one of them is missing."""
        if self.low is None or self.high is None or value is None:
            return None
        return self.low * (1 - self.tolerance) <= value <= self.high * (1 + self.tolerance)

    def _in_unit(self, computed: Computed | None) -> float | None:
        return None if computed is None else computed.value / UNITS.get(self.unit, 1.0)


def figure(
    what: str,
    printed: float | tuple[float, float] | None,
    unit: str,
    *,
    ours: tuple[Any, ...] | None = None,
    theirs: tuple[Any, ...] | None = None,
    tolerance: float = TOLERANCE,
    worded: bool = False,
) -> Figure:
    """A figure; ``ours`` and ``theirs`` are a function and its arguments, as one tuple."""
    low, high = printed if isinstance(printed, tuple) else (printed, printed)
    return Figure(what, unit, low, high, _computed(ours), _computed(theirs), tolerance, worded)


def _computed(call: tuple[Any, ...] | None) -> Computed | None:
    return None if call is None else Computed(call[0], call[1:])
