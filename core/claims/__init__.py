"""Published claims beside our own figures: the types, how a verdict is borne out, and what recomputes."""

from core.claims.claim import Claim, Topic, claim
from core.claims.figure import Computed, Figure, figure
from core.claims.judge import counts, objection
from core.claims.verdict import MEANINGS, Verdict

__all__ = [
    "MEANINGS",
    "Claim",
    "Computed",
    "Figure",
    "Topic",
    "Verdict",
    "claim",
    "counts",
    "figure",
    "objection",
]
