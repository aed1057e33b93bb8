"""The page Published claims in words: filters, the verdicts, the table, one claim in full."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import streamlit as st

from core.ledger import MEANINGS, Claim, Topic, Verdict, counts
from core.ledger.claims import CLAIMS
from core.ledger.documents import DOCUMENTS
from pages.ui.ledger import links, plots, table
from pages.ui.shared import answer, bound, tables
from pages.ui.shared.answer import Figure, Headline

SINGULAR = {
    Verdict.CONSISTENT: "holds",
    Verdict.CONDITIONAL: "holds only under a condition",
    Verdict.WRONG: "is wrong",
    Verdict.CONTRADICTORY: "contradicts itself or another",
    Verdict.UNVERIFIED: "cannot be verified",
}
PLURAL = {
    Verdict.CONSISTENT: "hold",
    Verdict.CONDITIONAL: "hold only under a condition",
    Verdict.WRONG: "are wrong",
    Verdict.CONTRADICTORY: "contradict themselves or each other",
    Verdict.UNVERIFIED: "cannot be verified",
}
BADGES: dict[Verdict, Literal["green", "blue", "red", "violet", "gray"]] = {
    Verdict.CONSISTENT: "green",
    Verdict.CONDITIONAL: "blue",
    Verdict.WRONG: "red",
    Verdict.CONTRADICTORY: "violet",
    Verdict.UNVERIFIED: "gray",
}
FEW = 5
FACTOR_OF_TWO = 0.03
"""How far a ratio may lie from 2 or 1/2 and still count as a factor of two."""
TABLE = "_ledger_table"


def selected() -> tuple[Claim, ...]:
    """The claims that the filters leave."""
    with st.container(key="claim_filters"):
        first, second, third, fourth = st.columns([3, 3, 2, 3])
    with first:
        topics = bound.several("Topic", "topic", map(str, Topic), [])
    with second:
        verdicts = bound.several("Verdict", "verdict", map(str, Verdict), [])
    with third:
        documents = bound.several("Document", "document", DOCUMENTS, [])
    with fourth:
        search = bound.text("Search", "search", "", placeholder="bisection, C045, PCIe ...")
    words = search.lower().split()
    return tuple(
        claim
        for claim in CLAIMS
        if (not topics or claim.topic in topics)
        and (not verdicts or claim.verdict in verdicts)
        and (not documents or claim.document in documents)
        and all(word in _searchable(claim) for word in words)
    )


@lru_cache(maxsize=256)
def _searchable(claim: Claim) -> str:
    figures = " ".join(f"{figure.what} {table.published(figure) or ''}" for figure in claim.figures)
    return f"{claim.id} {claim.said} {claim.why} {claim.topic} {claim.verdict} {figures}".lower()


def headline(claims: Sequence[Claim]) -> Headline:
    """How many claims have each verdict, and how many numbers are off by two."""
    parts = [
        f"{count} {(PLURAL if count > 1 else SINGULAR)[verdict]}"
        for verdict, count in counts(claims).items()
        if count
    ]
    if not parts:
        return Headline("No claim fits these filters.")
    share = "" if len(claims) == len(CLAIMS) else f" of {len(CLAIMS)}"
    return Headline(f"{len(claims)}{share} published claims: {', '.join(parts)}.", _factors_of_two(claims))


def _factors_of_two(claims: Sequence[Claim]) -> str:
    ratios = [comparison.ratio for comparison in plots.compared(claims)]
    twice = sum(abs(ratio / 2 - 1) < FACTOR_OF_TWO or abs(2 * ratio - 1) < FACTOR_OF_TWO for ratio in ratios)
    if twice < FEW:
        return ""
    return (
        f"Of {len(ratios)} published numbers that are recomputed, {twice} are off by a factor of two, "
        "most of them because a bidirectional rate is used for data that moves in one direction."
    )


def figures(claims: Sequence[Claim]) -> list[Figure]:
    """How many have each verdict."""
    return [Figure(str(verdict), f"{count}", MEANINGS[verdict]) for verdict, count in counts(claims).items()]


def charts(claims: Sequence[Claim]) -> None:
    """Verdicts by topic, and how far published numbers lie from the recomputed ones."""
    if not claims:
        return
    left, right = st.columns(2)
    with left:
        st.subheader("Claims by topic and verdict")
        plots.topics(claims)
    with right:
        st.subheader("Published / recomputed, by verdict")
        plots.ratios(claims)


def listing(claims: Sequence[Claim]) -> None:
    """The table; a row that is picked opens below."""
    st.subheader("Claims")
    if not claims:
        st.info("No claim fits these filters.")
        return
    ids = tuple(claim.id for claim in claims)
    tables.show(
        table.claims(ids),
        "Published claims with published and recomputed value and verdict",
        table.COLUMNS,
        key=TABLE,
        on_select=lambda: _pick(ids),
        selection_mode="single-row",
        row_height=table.WRAPPED_ROW,
        height=380,
    )
    st.caption(
        "Select a row to see every number of the claim; its link opens the calculator with its inputs."
    )


def _pick(ids: Sequence[str]) -> None:
    rows = st.session_state[TABLE].selection.rows
    if rows and rows[0] < len(ids):
        st.session_state["claim"] = ids[rows[0]]


def detail(claims: Sequence[Claim]) -> None:
    """One claim with all its numbers, the reason and its sources."""
    if not claims:
        return
    with st.container(border=True, key="claim_in_full"):
        picked = bound.choice("Claim in full", "claim", [claim.id for claim in claims])
        claim = next((claim for claim in claims if claim.id == picked), claims[0])
        st.markdown(f"### {_dollars(claim.said)}")
        with st.container(horizontal=True, gap="small"):
            st.badge(str(claim.verdict), color=BADGES[claim.verdict])
            st.badge(str(claim.topic), color="gray")
        st.markdown(_dollars(claim.why))
        if claim.figures:
            tables.show(table.figures(claim), "Every number of the claim")
        if claim.in_words:
            numbers = "; the numbers only illustrate it." if claim.figures else "."
            st.caption(f"The verdict rests on the wording{numbers}")
        st.markdown(f":material/open_in_new: [Open the calculator]({links.url(claim.id)})")
        document = DOCUMENTS[claim.document]
        quoted = replace(document, title=f"Document {claim.document}, line {claim.lines}: {document.title}")
        answer.sources((quoted, *claim.evidence))


def _dollars(text: str) -> str:
    """Dollar signs as they are, never as the start of a formula."""
    return text.replace("$", "\\$")


def documents() -> None:
    """The five documents, the five verdicts and the rule behind them."""
    with st.expander("Documents, verdicts and tolerance", icon=":material/functions:"):
        titles = [f"* **{key}** {answer.cited(source)}" for key, source in DOCUMENTS.items()]
        meanings = [f"* **{verdict}**: {text}" for verdict, text in MEANINGS.items()]
        st.markdown("**Documents**\n\n" + "\n".join(titles))
        st.markdown("**Verdicts**\n\n" + "\n".join(meanings))
        st.markdown(
            "The calculators recompute every value when the page is drawn. A published number agrees when the "
            "recomputed one lies within the tolerance beside it, 1 % unless the row says more."
        )
