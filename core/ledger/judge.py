"""Whether the figures of a claim support the verdict that is typed beside it."""

from collections import Counter
from collections.abc import Iterable

from core.ledger.claim import Claim
from core.ledger.verdict import Verdict


def objection(claim: Claim) -> str:
    """
    Why the figures do not support the verdict, in a few words; empty where they do.

    Consistent: no printed number differs from ours. Wrong: one does. Contradictory: one differs
    from ours or from the claim's own arithmetic. Conditional: by the claim's convention every number
    agrees, or ours does. Unverified: there is nothing to compare.
    """
    ours = [figure.agrees(figure.our_value) for figure in claim.figures]
    theirs = [figure.agrees(figure.their_value) for figure in claim.figures]
    decided = [verdict for verdict in (*ours, *theirs) if verdict is not None]
    if claim.verdict is Verdict.UNVERIFIED:
        return "there is something to compare with" if decided else ""
    if claim.in_words or not decided:
        return ""
    supported, difference = {
        Verdict.CONSISTENT: (False not in ours, "a printed number differs from ours"),
        Verdict.WRONG: (False in ours, "no printed number differs from ours"),
        Verdict.CONTRADICTORY: (False in decided, "no printed number differs"),
        Verdict.CONDITIONAL: (
            False not in theirs and True in decided,
            "a printed number differs even by the claim's own convention",
        ),
    }[claim.verdict]
    return "" if supported else difference


def counts(claims: Iterable[Claim]) -> dict[Verdict, int]:
    """How many claims stand in each way, in the order of the verdicts."""
    counter = Counter(claim.verdict for claim in claims)
    return {verdict: counter[verdict] for verdict in Verdict}
