"""The unit in which quantities of one kind are charted and tabled together."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.calculators.comparison.explanation import BYTES, DOLLARS
from core.units import GB, KB, MB, MS, US

_UNITS = {
    "s": ((1.0, "s"), (MS, "ms"), (US, "µs")),
    BYTES: ((GB, "GB"), (MB, "MB"), (KB, "kB")),
    DOLLARS: ((1e6, "M$"), (1e3, "k$"), (1.0, "$")),
}
"""Sizes of a unit by kind of quantity, the largest first."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A unit and its size in SI."""

    size: float
    unit: str

    def text(self, value: float, *, signed: bool = False) -> str:
        """A value in this unit with three digits, such as *+0.73 ms*."""
        digits = max(0, 2 - len(f"{abs(value):.0f}") + 1) if abs(value) >= 1 else 3
        number = f"{value:+,.{digits}f}" if signed else f"{value:,.{digits}f}"
        return f"{number} {self.unit}".replace("-", "−")

    def shows(self, value: float) -> bool:
        """Whether a digit of the text is not zero."""
        return any(digit in "123456789" for digit in self.text(value))


def scale(kind: str, totals: Iterable[float]) -> Scale:
    """The largest unit in which the largest total is at least one."""
    largest = max(map(abs, totals), default=0.0)
    units = _UNITS[kind]
    size, unit = next(((size, unit) for size, unit in units if largest >= size), units[-1])
    return Scale(size, unit)
