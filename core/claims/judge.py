"""Judge: does the arithmetic bear out the verdict that is typed beside a claim?"""

from collections import Counter
from collections.abc import Iterable

from core.claims.claim import Claim
from core.claims.verdict import Verdict


def objection(claim: Claim) -> str:
    """
    Why the figures do not support the verdict, in a few words; empty where they do.

    Consistent: no printed number differs from ours. Wrong: one does. Contradictory: one differs
    from ours or from the claim's own reckoning. Conditional: counted the claim's way every number
    comes out, or ours agrees. Unverified: there is nothing to compare.
    """
    ours = [one.agrees(one.our_value) for one in claim.figures]
    theirs = [one.agrees(one.their_value) for one in claim.figures]
    decided = [verdict for verdict in (*ours, *theirs) if verdict is not None]
    if claim.verdict is Verdict.UNVERIFIED:
        return "there is something to compare with" if decided else ""
    if claim.in_words or not decided:
        return ""
    if claim.verdict is Verdict.CONSISTENT:
        return "a printed number differs from ours" if False in ours else ""
    if claim.verdict is Verdict.WRONG:
        return "" if False in ours else "no printed number differs from ours"
    if claim.verdict is Verdict.CONTRADICTORY:
        return "" if False in decided else "no printed number differs"
    if False in theirs:
        return "a number does not come out even when counted the claim's way"
    return "" if True in decided else "no reading gives a printed number"


def counts(claims: Iterable[Claim]) -> dict[Verdict, int]:
    """How many claims stand in each way, in the order of the verdicts."""
    found = Counter(one.verdict for one in claims)
    return {verdict: found[verdict] for verdict in Verdict}
