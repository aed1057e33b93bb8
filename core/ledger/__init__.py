"""Published claims beside our own figures: the types, how a verdict is borne out, and what recomputes."""

from core.ledger.claim import Claim, Topic, claim
from core.ledger.figure import Computed, Figure, figure
from core.ledger.judge import counts, objection
from core.ledger.verdict import MEANINGS, Verdict

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
