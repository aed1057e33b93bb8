"""Words of a verdict: what was found for a size, for a pair, for the whole run."""

from dataclasses import dataclass
from enum import StrEnum


class Word(StrEnum):
    """How a measurement stands to what the machine should do."""

    FINE = "fine"
    LOW = "low"
    HIGH = "high"
    IMPOSSIBLE = "impossible"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reason:
    """A likely cause: a stable code for scripts and one sentence for people."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class SizeFinding:
    """
    One measured time against its band.

    Attributes:
        low_s, high_s: The expected band; None where nothing could be expected.
        floor_s: Faster than this no machine of this kind can be.
    """

    operation: str | None
    size_bytes: int
    placement: str | None
    time_s: float
    expected_s: float | None
    low_s: float | None
    high_s: float | None
    floor_s: float | None
    word: Word
    reason: Reason


@dataclass(frozen=True, slots=True)
class PairFinding:
    """One cell of a matrix, or one copy, against the wire that it should use, in bytes/s."""

    what: str
    row: str
    column: str
    measured_bytes_per_s: float | None
    expected_bytes_per_s: float | None
    word: Word
    reason: Reason


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    The answer to "is my number OK?" for one run on one machine.

    Attributes:
        word, reason: Of the whole run.
        local_ranks, domains: How the ranks were taken to sit.
        basis: What the expectation rests on.
    """

    word: Word
    reason: Reason
    sizes: tuple[SizeFinding, ...] = ()
    pairs: tuple[PairFinding, ...] = ()
    collective: str | None = None
    ranks: int | None = None
    local_ranks: int | None = None
    domains: int | None = None
    basis: str = ""
    warnings: tuple[str, ...] = ()
