"""An answer as its parts: quantities, the terms that add up to each, and what stands behind a term."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.units import format_memory, format_number, format_rate, format_share, format_time

SECONDS, BYTES, DOLLARS, SHARE, COUNT, RATE = "s", "bytes", "usd", "share", "count", "bytes_per_s"


def dollars(value: float) -> str:
    """A sum of money: cents below ten dollars."""
    return f"${value:,.2f}" if abs(value) < 10 else f"${value:,.0f}"  # noqa: PLR2004 (two digits)


FORMATS = {
    SECONDS: format_time,
    BYTES: format_memory,
    DOLLARS: dollars,
    SHARE: format_share,
    COUNT: format_number,
    RATE: format_rate,
}
"""How a value is written, by its unit."""


@dataclass(frozen=True, slots=True)
class Factor:
    """
    An input or a fact of the hardware behind a term.

    Attributes:
        name: What it is.
        text: Its value in words.
        value: Its number; None for what is a choice of words, such as an algorithm.
        shortens: More of it makes the term smaller, as of a rate.
    """

    name: str
    text: str
    value: float | None = None
    shortens: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A term of a quantity: its value in the quantity's unit, and what it depends on."""

    name: str
    value: float
    factors: tuple[Factor, ...] = ()


@dataclass(frozen=True, slots=True)
class Quantity:
    """
    A number of an answer; the values of its parts add up to it.

    Attributes:
        name: As ``Step time``.
        unit: ``s``, ``bytes`` or ``usd``; less is better of all three.
        step: The serving step whose terms these are; None elsewhere.
    """

    name: str
    unit: str
    parts: tuple[Part, ...]
    step: Any = None

    @property
    def noun(self) -> str:
        """The name inside a sentence: abbreviations keep their capitals."""
        return self.name if self.name[:2].isupper() else f"{self.name[:1].lower()}{self.name[1:]}"

    @property
    def total(self) -> float:
        """The sum of the parts."""
        return sum(part.value for part in self.parts)

    @property
    def text(self) -> str:
        """The total with its unit."""
        return FORMATS[self.unit](self.total)


@dataclass(frozen=True, slots=True)
class Figure:
    """A secondary number; ``more`` says whether more of it is better, None where neither is."""

    name: str
    value: float
    unit: str
    more: bool | None = None

    @property
    def text(self) -> str:
        """The value with its unit."""
        return FORMATS[self.unit](self.value)


@dataclass(frozen=True, slots=True)
class Explanation:
    """
    An answer of a calculator, ready to be compared.

    Attributes:
        subject: What it is about, in a few words.
        work: What is asked, whatever it runs on, by name: sides that differ here are unlike questions.
        quantities: The main quantity first.
        figures: Further numbers.
        rates: What answered, as ``calibrated, spec``.
        fits: Whether the memory suffices for what it says.
    """

    subject: str
    work: Mapping[str, str]
    quantities: tuple[Quantity, ...]
    figures: tuple[Figure, ...] = ()
    rates: str = ""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    sources: tuple[Any, ...] = field(default=())
    fits: bool = True

    @property
    def main(self) -> Quantity:
        """The quantity of the headline."""
        return self.quantities[0]

    def quantity(self, name: str) -> Quantity | None:
        """The quantity of that name; None where this answer has none."""
        return next((item for item in self.quantities if item.name == name), None)
