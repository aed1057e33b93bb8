"""A copy's rate against that of the link which carries it."""

from core.units import GB, whole_percent
from core.verdict.records import PairVerdict, Reason, Status

GOOD_COPY_SHARE = 0.72
"""Share of a link's unidirectional rate that a good copy reaches: measured ones give 0.82 to 0.93."""
IMPOSSIBLE_SHARE = 1.03
"""Above this share of a link's rate a copy cannot have run over it alone."""
AT_LINK_RATE = Reason("as_expected", "the rate of this link")


def pair_verdict(
    what: str,
    row: str,
    column: str,
    rate: float,
    expected: float,
    good_share: float = GOOD_COPY_SHARE,
    most_share: float = IMPOSSIBLE_SHARE,
) -> PairVerdict:
    """A rate against the unidirectional rate of its link, both in bytes/s."""
    status, reason = Status.FINE, AT_LINK_RATE
    if rate > expected * most_share:
        text = (
            f"more than the {expected / GB:.4g} GB/s of the link: another system, or both directions counted"
        )
        status, reason = Status.IMPOSSIBLE, Reason("faster_than_the_wire", text)
    elif rate < expected * good_share:
        text = f"{whole_percent(rate / expected)} of the {expected / GB:.4g} GB/s of the link"
        status, reason = Status.LOW, Reason("below_the_wire", text)
    return PairVerdict(what, row, column, rate, expected, status, reason)
