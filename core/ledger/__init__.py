"""Published claims beside computed figures: the types, and the check that figures support a verdict."""

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
