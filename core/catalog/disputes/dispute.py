"""A dispute: what sources say differently about one thing, which reading is used, and why."""

from dataclasses import dataclass

from core.catalog.sources import SOURCES
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Reading:
    """What one source says: a number (or words where there is none to give), its unit, its sense."""

    value: float | str
    unit: str
    source: Source
    note: str = ""


@dataclass(frozen=True, slots=True)
class Dispute:
    """
    Readings that cannot all be right, or that count different things.

    Attributes:
        id: Stable name of the dispute.
        topic: What it is about, as a heading.
        readings: What each source says.
        used: The reading that this project uses.
        why: The reason, in a sentence.
        about: Catalog ids it concerns; empty for a claim about no single part.
    """

    id: str
    topic: str
    readings: tuple[Reading, ...]
    used: str
    why: str
    about: tuple[str, ...] = ()


def reading(value: float | str, unit: str, source_key: str, note: str = "") -> Reading:
    """A reading by the key of its source."""
    return Reading(value, unit, SOURCES[source_key], note)
