"""A claim of a source document: what it says, where, what we get, and the verdict."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How a claim stands."""

    CONSISTENT = "consistent"
    CONDITIONAL = "conditional"
    CONTRADICTORY = "contradictory"
    WRONG = "wrong"
    UNVERIFIED = "unverified"


MEANINGS = {
    Verdict.CONSISTENT: "agrees with arithmetic and public facts",
    Verdict.CONDITIONAL: "true only under the assumption named",
    Verdict.CONTRADICTORY: "conflicts with itself or with another source",
    Verdict.WRONG: "arithmetic or a public fact differs",
    Verdict.UNVERIFIED: "no public source found",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """
    One row of the ledger.

    Attributes:
        id: ``C001`` to ``C162``.
        document, line: Number of the source document and where in it, as ``8-14`` or ``247,255``.
        said: The claim in our words.
        why: The reason for the verdict, or the right value.
        printed: The number as printed, in ``unit``; None for a textual claim.
        ours: Computes the same quantity with the functions of the calculators; None where there is
            nothing to compute.
        unit: Of both.
        page: Calculator that answers it, with its query string, or empty.
    """

    id: str
    document: str
    line: str
    topic: str
    verdict: Verdict
    said: str
    why: str
    printed: float | None = None
    ours: Callable[[], float] | None = None
    unit: str = ""
    page: str = ""

    @property
    def numeric(self) -> bool:
        """True where we compute the quantity."""
        return self.ours is not None
