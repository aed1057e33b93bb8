"""Judge: does the arithmetic bear out the verdict that is typed beside a claim?"""

from collections import Counter
from collections.abc import Iterable

from core.ledger.claim import Claim
from core.ledger.verdict import Verdict


def objection(claim: Claim) -> str:
    """
    Why the figures do not support the verdict, in a few words; empty where they do.

    Consistent: no printed number differs from ours. Wrong: one does. Contradictory: one differs
    from ours or from the claim's own reckoning. Conditional: counted the claim's way every number
    comes out, or ours agrees. Unverified: there is nothing to compare.
    """
    ours = [figure.agrees(figure.our_value) for figure in claim.figures]
    theirs = [figure.agrees(figure.their_value) for figure in claim.figures]
    decided = [verdict for verdict in (*ours, *theirs) if verdict is not None]
    if claim.verdict is Verdict.UNVERIFIED:
        return "there is something to compare with" if decided else ""
    if claim.in_words or not decided:
        return ""
    borne_out, otherwise = {
        Verdict.CONSISTENT: (False not in ours, "a printed number differs from ours"),
        Verdict.WRONG: (False in ours, "no printed number differs from ours"),
        Verdict.CONTRADICTORY: (False in decided, "no printed number differs"),
        Verdict.CONDITIONAL: (
            False not in theirs and True in decided,
            "a printed number does not come out even when counted the claim's way",
        ),
    }[claim.verdict]
    return "" if borne_out else otherwise


def counts(claims: Iterable[Claim]) -> dict[Verdict, int]:
    """How many claims stand in each way, in the order of the verdicts."""
    counter = Counter(claim.verdict for claim in claims)
    return {verdict: counter[verdict] for verdict in Verdict}
