"""Short hands for writing rows of the ledger."""

from typing import Any

from core.catalog.claims.claim import Claim, Verdict

OK = Verdict.CONSISTENT
IF = Verdict.CONDITIONAL
CLASH = Verdict.CONTRADICTORY
WRONG = Verdict.WRONG
OPEN = Verdict.UNVERIFIED

Row = tuple[Any, ...]
"""id number, line, topic, verdict, said, why[, printed, ours, unit[, page]]."""


FIELDS = ("line", "topic", "verdict", "said", "why", "printed", "ours", "unit", "page")


def claims(document: str, rows: tuple[Row, ...]) -> tuple[Claim, ...]:
    """Rows of one document as claims."""
    return tuple(
        Claim(id=f"C{number:03d}", document=document, **dict(zip(FIELDS, values, strict=False)))
        for number, *values in rows
    )
