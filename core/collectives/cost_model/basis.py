"""What an answer rests on: constants measured on such hardware, carried over to it, or put together."""

from dataclasses import dataclass, replace
from enum import StrEnum

from core.units import format_size


class Support(StrEnum):
    """How far measurements support an answer."""

    CALIBRATED = "calibrated"
    EXTRAPOLATED = "extrapolated"
    PARTS = "parts"


@dataclass(frozen=True, slots=True)
class Basis:
    """The support of an answer and the set of constants behind it, as ``calibrated:nvlink-hopper``."""

    support: Support
    name: str

    def __str__(self) -> str:
        return f"{self.support}:{self.name}"

    def extrapolated(self) -> "Basis":
        """The same constants beyond what they were measured on."""
        if self.support is not Support.CALIBRATED:
            return self
        return replace(self, support=Support.EXTRAPOLATED)

    def beyond(self, size_bytes: float) -> "Basis":
        """The same constants on messages larger than any that they were measured with."""
        return replace(self.extrapolated(), name=f"{self.name} beyond {format_size(size_bytes)}")


def calibrated(name: str) -> Basis:
    """Constants measured on such hardware."""
    return Basis(Support.CALIBRATED, name)


def extrapolated(name: str) -> Basis:
    """Constants of other hardware."""
    return Basis(Support.EXTRAPOLATED, name)
