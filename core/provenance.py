"""Where a number comes from and what it counts: source, direction, scope, confidence, origin."""

from dataclasses import dataclass
from enum import StrEnum


class Basis(StrEnum):
    """Which directions a printed bandwidth counts."""

    ONE_WAY = "unidirectional"
    BOTH_WAYS = "bidirectional"
    SHARED = "read and write shared"
    """One figure for reads and writes together, as HBM is quoted: never halved, never doubled."""


class Scope(StrEnum):
    """What a printed bandwidth belongs to."""

    GPU = "per GPU"
    GPU_PAIR = "per GPU pair"
    LINK = "per link"
    PORT = "per port"
    SLOT = "per slot"
    CHIP = "per switch chip"
    NODE = "per node"
    DOMAIN = "per domain"


class Confidence(StrEnum):
    """How far a catalog figure can be trusted; low and rumour are shown only on request."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    RUMOUR = "rumour"

    @property
    def verified(self) -> bool:
        """Shown without asking for unverified figures."""
        return self in (Confidence.HIGH, Confidence.MEDIUM)


class Origin(StrEnum):
    """What stands behind a value on a chart."""

    PUBLISHED = "published"
    SPEC = "spec"
    CALIBRATED = "calibrated"
    FITTED = "fitted"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class Source:
    """A document that someone can open."""

    key: str
    title: str
    where: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class Quoted:
    """
    A bandwidth as printed, with all that is needed to use it.

    Attributes:
        value: The number as printed.
        unit: Bytes per second of one printed unit (``units.GB`` for GB/s, ``units.GIGABIT_BYTES``
            for Gb/s); no other conversion happens anywhere.
        basis: Which directions the print counts.
        scope: What the print belongs to.
        source: Who printed it.
        note: What a reader must know to compare it.
    """

    value: float
    unit: float
    basis: Basis
    scope: Scope
    source: Source
    note: str = ""

    @property
    def bytes_per_s(self) -> float:
        """As used: bytes per second, unidirectional (HBM: the shared figure), in the same scope."""
        factor = 0.5 if self.basis is Basis.BOTH_WAYS else 1.0
        return self.value * self.unit * factor
