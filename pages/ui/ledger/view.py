"""Ledger page: filters, the verdicts in words, the table, one claim in full."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from core.ledger import MEANINGS, Topic, Verdict, counts
from core.ledger.claims import CLAIMS
from core.ledger.documents import DOCUMENTS
from pages.ui.ledger import charts as ledger_charts
from pages.ui.ledger import links as ledger_links
from pages.ui.shared import answer, bound, tables

WORDS = {
    Verdict.CONSISTENT: ("holds", "hold"),
    Verdict.CONDITIONAL: ("holds only under a condition", "hold only under a condition"),
    Verdict.WRONG: ("is wrong", "are wrong"),
    Verdict.CONTRADICTORY: ("contradicts itself or another", "contradict themselves or each other"),
    Verdict.UNVERIFIED: ("cannot be verified", "cannot be verified"),
}
FEW = 5
BADGES = {
    Verdict.CONSISTENT: "green",
    Verdict.CONDITIONAL: "blue",
    Verdict.WRONG: "red",
    Verdict.CONTRADICTORY: "violet",
    Verdict.UNVERIFIED: "gray",
}
TABLE = "_ledger_table"
COLUMNS = {
    "claim": st.column_config.TextColumn("Claim", width=62, pinned=True),
    "said": st.column_config.TextColumn("What it says", width=290),
    "printed": st.column_config.TextColumn("Printed", width=105, help="The claim's first number."),
    "ours": st.column_config.TextColumn(
        "Our value", width=105, help="The same quantity, computed when the page is drawn: one way."
    ),
    "theirs": st.column_config.TextColumn(
        "Their way", width=105, help="Computed as the claim counts, where that differs from us."
    ),
    "verdict": st.column_config.TextColumn("Verdict", width=105),
    "why": st.column_config.TextColumn("Why", width=370),
    "open": st.column_config.LinkColumn(
        "Try it", display_text="open", width=60, help="The calculator with that scenario filled in."
    ),
    "where": st.column_config.TextColumn("Where", width=85, help="Document and lines."),
    "topic": st.column_config.TextColumn("Topic", width=140),
}
WRAPPED_ROW = 82
"""Pixels; text wraps in rows above 64."""


def chosen():
    """The claims that the filters leave."""
    first, second, third, fourth = st.columns([3, 3, 2, 3])
    with first:
        topics = bound.several("Topic", "topic", map(str, Topic), [])
    with second:
        verdicts = bound.several("Verdict", "verdict", map(str, Verdict), [])
    with third:
        sources = bound.several("Document", "document", DOCUMENTS, [])
    with fourth:
        words = bound.text("Search", "search", "", placeholder="bisection, C045, PCIe ...")
    wanted = (words or "").lower().split()
    return tuple(
        one
        for one in CLAIMS
        if (not topics or one.topic in topics)
        and (not verdicts or one.verdict in verdicts)
        and (not sources or one.document in sources)
        and all(word in _searched(one) for word in wanted)
    )


def verdict(shown):
    """How the claims stand, and the slip behind most of those that differ."""
    found = counts(shown)
    parts = [f"{count} {WORDS[word][count > 1]}" for word, count in found.items() if count]
    if not parts:
        return "No claim fits these filters.", ""
    share = "" if len(shown) == len(CLAIMS) else f" of {len(CLAIMS)}"
    first = f"{len(shown)}{share} published claims: {', '.join(parts)}."
    compared, twice = _slips(shown)
    if twice < FEW:
        return first, ""
    reason = (
        f"Of {compared} printed numbers that we compute as well, {twice} lie a factor of two from ours, "
        "most of them because both directions of a link are counted where bytes move one way."
    )
    return first, reason


def figures(shown):
    """How many have each verdict."""
    return [(str(word), f"{count}", MEANINGS[word]) for word, count in counts(shown).items()]


def charted(shown):
    """Verdicts by topic, and how far printed numbers lie from ours."""
    if not shown:
        return
    left, right = st.columns(2)
    with left:
        st.subheader("Verdicts by topic")
        ledger_charts.topics(shown)
    with right:
        st.subheader("Printed over ours")
        ledger_charts.ratios(shown)


def listed(shown):
    """The table; a row that is picked opens below."""
    st.subheader("Claims")
    if not shown:
        st.info("No claim fits these filters.")
        return
    ids = tuple(one.id for one in shown)
    tables.show(
        _table(ids),
        "Published claims with printed value, our value and verdict",
        COLUMNS,
        key=TABLE,
        on_select=lambda: _pick(ids),
        selection_mode="single-row",
        row_height=WRAPPED_ROW,
        height=620,
    )
    st.caption("Pick a row to see every number of the claim; its link asks the calculator the same question.")


def _pick(ids):
    rows = st.session_state[TABLE].selection.rows
    if rows and rows[0] < len(ids):
        st.session_state["claim"] = ids[rows[0]]


def detail(shown):
    """One claim with all its numbers, the reason and who says so."""
    if not shown:
        return
    with st.container(border=True, key="claim_in_full"):
        picked = bound.choice("Claim in full", "claim", [one.id for one in shown])
        one = next((item for item in shown if item.id == picked), shown[0])
        st.markdown(f"#### {_plain(one.said)}")
        with st.container(horizontal=True, gap="small"):
            st.badge(str(one.verdict), color=BADGES[one.verdict])
            st.badge(str(one.topic), color="gray")
        st.markdown(_plain(one.why))
        if one.figures:
            tables.show(_figures(one), "Every number of the claim")
        if one.in_words:
            st.caption(
                "The verdict rests on words" + ("; the numbers only illustrate it." if one.figures else ".")
            )
        st.markdown(f":material/open_in_new: [Ask the calculator]({ledger_links.url(one.id)})")
        lines = f"Document {one.document}, line {one.lines}: {answer.cited(DOCUMENTS[one.document])}"
        answer.sources((lines, *one.evidence))


def documents():
    """The five documents and the five verdicts."""
    with st.expander("The documents, the verdicts, the rule", icon=":material/functions:"):
        names = [f"* **{key}** {answer.cited(source)}" for key, source in DOCUMENTS.items()]
        st.markdown("**Documents**\n\n" + "\n".join(names))
        st.markdown(
            "**Verdicts**\n\n" + "\n".join(f"* **{word}**: {text}" for word, text in MEANINGS.items())
        )
        st.markdown(
            "Our value is computed when the page is drawn, by the functions of the calculators. A printed number agrees "
            "when ours lies within the tolerance typed beside it, 1 % unless the row says more."
        )


@lru_cache(maxsize=32)
def _table(ids):
    """One row a claim; its first number stands for it."""
    wanted = set(ids)
    return pd.DataFrame(
        {
            "claim": one.id,
            "open": ledger_links.url(one.id),
            "said": one.said,
            "printed": printed(_lead(one)),
            "ours": value(_lead(one), "our_value"),
            "theirs": value(_lead(one), "their_value"),
            "verdict": str(one.verdict),
            "why": one.why,
            "where": f"{one.document}:{one.lines}",
            "topic": str(one.topic),
        }
        for one in CLAIMS
        if one.id in wanted
    )


def _figures(one):
    marks = {True: "agrees", False: "differs", None: None}
    return pd.DataFrame(
        {
            "number": item.what,
            "printed": printed(item),
            "our value": _text(item.our_value, item.unit),
            "ours": marks[item.agrees(item.our_value)],
            "counted their way": _text(item.their_value, item.unit),
            "theirs": marks[item.agrees(item.their_value)],
            "tolerance": f"{100 * item.tolerance:g} %" if item.printed else None,
        }
        for item in one.figures
    )


def _lead(one):
    return next((item for item in one.figures if item.printed), one.figures[0] if one.figures else None)


def printed(item):
    """A number as the document prints it."""
    if item is None or not item.printed:
        return None
    if item.high == float("inf"):
        text = f"{_number(item.low)}+"
    else:
        text = _number(item.low) if item.low == item.high else f"{_number(item.low)}-{_number(item.high)}"
    return f"{text} {item.unit}" + (" (in words)" if item.worded else "")


def value(item, name):
    """Ours or theirs of a number, in the unit of the print; None where there is none."""
    return None if item is None else _text(getattr(item, name), item.unit)


def _text(value, unit):
    return None if value is None else f"{_number(value)} {unit}"


def _number(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _plain(text):
    return text.replace("$", "\\$")


@lru_cache(maxsize=256)
def _searched(one):
    units = " ".join(f"{item.what} {printed(item) or ''}" for item in one.figures)
    return f"{one.id} {one.said} {one.why} {one.topic} {one.verdict} {units}".lower()


@lru_cache(maxsize=32)
def _slips(shown):
    """How many printed numbers we compute as well, and how many of them are off by two."""
    ratios = [ratio for _, _, ratio in ledger_charts.compared(shown)]
    return len(ratios), sum(abs(ratio / 2 - 1) < 0.03 or abs(2 * ratio - 1) < 0.03 for ratio in ratios)
