"""The claims as tables: one row each, and every number of one claim."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from core.ledger import Claim, Figure
from core.ledger.claims import CLAIMS
from core.units import format_number
from pages.ui.ledger import links

WRAPPED_ROW = 82
"""Pixels; text wraps in rows above 64."""
_TEXT = st.column_config.TextColumn
COLUMNS = {
    "claim": _TEXT("Claim", width=62, pinned=True),
    "said": _TEXT("What it says", width=275),
    "published": _TEXT("Published", width=105, help="The claim's first number."),
    "recomputed": _TEXT(
        "Recomputed", width=115, help="The same quantity from the calculators: unidirectional per GPU."
    ),
    "theirs": _TEXT(
        "Source's convention", width=140, help="Recomputed as the claim counts, where that differs."
    ),
    "verdict": _TEXT("Verdict", width=105),
    "why": _TEXT("Why", width=350),
    "open": st.column_config.LinkColumn(
        "Try it", display_text="open", width=60, help="The calculator with the claim's inputs filled in."
    ),
    "where": None,
    "topic": None,
}
"""Together as wide as a page on a laptop; document, lines and topic stand in the claim in full, and in the file."""
AGREEMENT = {True: "agrees", False: "differs", None: None}


@lru_cache(maxsize=32)
def claims(ids: tuple[str, ...]) -> pd.DataFrame:
    """One row per claim; its first number stands for it."""
    wanted = set(ids)
    return pd.DataFrame(_row(claim) for claim in CLAIMS if claim.id in wanted)


def _row(claim: Claim) -> dict[str, str | None]:
    first = _first_figure(claim)
    return {
        "claim": claim.id,
        "open": links.url(claim.id),
        "said": claim.said,
        "published": published(first) if first else None,
        "recomputed": value(first.our_value, first.unit) if first else None,
        "theirs": value(first.their_value, first.unit) if first else None,
        "verdict": str(claim.verdict),
        "why": claim.why,
        "where": f"{claim.document}:{claim.lines}",
        "topic": str(claim.topic),
    }


def _first_figure(claim: Claim) -> Figure | None:
    """The first figure that was published, or the first of all."""
    stated = [figure for figure in claim.figures if figure.printed]
    return next(iter(stated or claim.figures), None)


def figures(claim: Claim) -> pd.DataFrame:
    """Every number of a claim."""
    return pd.DataFrame(
        {
            "number": figure.what,
            "published": published(figure),
            "recomputed": value(figure.our_value, figure.unit),
            "agreement": AGREEMENT[figure.agrees(figure.our_value)],
            "in the source's convention": value(figure.their_value, figure.unit),
            "agreement in that convention": AGREEMENT[figure.agrees(figure.their_value)],
            "tolerance": f"{100 * figure.tolerance:g} %" if figure.printed else None,
        }
        for figure in claim.figures
    )


def published(figure: Figure) -> str | None:
    """A number as the document states it; None where it states none."""
    if figure.low is None or figure.high is None:
        return None
    if figure.high == float("inf"):
        text = f"{_number(figure.low)}+"
    elif figure.low == figure.high:
        text = _number(figure.low)
    else:
        text = f"{_number(figure.low)}-{_number(figure.high)}"
    return f"{text} {figure.unit}" + (" (in words)" if figure.worded else "")


def value(number: float | None, unit: str) -> str | None:
    """A recomputed number in the unit of the published one, dollars with all digits; None where there is none."""
    if number is None:
        return None
    text = _number(number) if "$" in unit else format_number(number)
    return f"{text} {unit}"


def _number(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.4g}"
