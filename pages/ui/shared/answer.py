"""The parts every answer has: headline, figures, numbers and sources."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from typing import Literal, Protocol

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.checks import InputError
from core.provenance import Source
from pages.ui.shared import bound, changes, chapters, folded, names, record, states, tables
from pages.ui.shared import offer as offers
from pages.ui.shared.answered import Answered
from pages.ui.shared.document import button
from pages.ui.shared.messages import plain, refusal, shown
from pages.ui.shared.offer import Offer

Colour = Literal["red", "orange", "blue", "green", "violet", "gray"]
ORIGINS: dict[str, tuple[str, Colour]] = {
    "published": ("published rates", "violet"),
    "spec": ("spec rates", "gray"),
    "calibrated": ("calibrated rates", "blue"),
    "yours": ("your cluster", "green"),
    "measured": ("measured", "orange"),
}
"""Badge and colour of each origin of a number."""
CUSTOM = "custom"
"""Badge of a system or model that the reader typed or uploaded."""
ADDRESS = re.compile(r"https?://[\w./%~?=&#:+,-]+")
"""A source's own address, in which nothing could end a link early."""
PIXELS_PER_CHARACTER, PADDING, NARROWEST = 6.9, 58, 145
DESK = 1120
"""Pixels of a page's content on a laptop."""


@dataclass(frozen=True, slots=True)
class Headline:
    """
    The answer in a sentence; no part of it is Markdown, words in bold are those of ``messages.strong``.

    Attributes:
        text: The answer, with its number.
        reason: Why it is so.
        crossovers: The value of an input at which the answer changes.
        icon: Material symbol before the reason.
    """

    text: str
    reason: str = ""
    crossovers: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A secondary number of an answer; ``help``, no Markdown, explains it on hover."""

    label: str
    value: str
    help: str = ""


class Warned(Protocol):
    """An answer with warnings of its own."""

    @property
    def warnings(self) -> Sequence[str]:
        """One line each."""


class Sourced(Protocol):
    """An answer that says what it assumes and on whose word."""

    @property
    def assumptions(self) -> Sequence[str]:
        """One line each."""

    @property
    def sources(self) -> Iterable[Source | str]:
        """Documents, or their titles."""


def _no_offer() -> Offer | None:
    return None


@contextmanager
def explained(offer: Callable[[], Offer | None] = _no_offer) -> Iterator[None]:
    """
    Show an input that has no answer as a warning, unless the bar has, and end the page there.

    Args:
        offer: Gives the nearest inputs that have an answer; None where it knows none.
    """
    try:
        yield
    except InputError as problem:
        record.current().warnings.append(f"No answer for this combination: {refusal(problem)}")
        if str(problem) != record.current().question_problem:
            states.no_answer(problem)
            if (nearest := offer()) is not None:
                offers.draw(nearest)
        bound.share()
        chapters.link(record.current().page)
        st.stop()


def headline(
    answer: Headline,
    *,
    note: str = "",
    origin: Answered | str | None = None,
    yours: bool = False,
    rests_on: str = "",
) -> DeltaGenerator:
    """
    Draw the answer, its reason and its crossovers; above it, which inputs of the address were rejected.

    Args:
        answer: The answer in a sentence.
        note: What the answer rests on, in small print.
        origin: What answered: a key of ``ORIGINS``, with a reason where it is not what was chosen.
        yours: Whether system or model are the reader's own.
        rests_on: A second badge: what else the answer rests on besides its rates.

    Returns:
        The place of the crossovers, for those that take longer than the rest of the answer.
    """
    bound.report_rejected()
    run = record.current()
    run.text, run.reason, run.crossovers = answer.text, shown(answer.reason), shown(answer.crossovers)
    badge = origin if isinstance(origin, Answered) else Answered(origin or "")
    run.note, run.origin = (
        shown(" ".join(filter(None, (note, rests_on and f"{names.sentence(rests_on)}.", badge.reason)))),
        badge.origin,
    )
    with st.container(border=True, key="headline"):
        st.markdown(f"## {plain(answer.text)}")
        if run.reason:
            st.markdown(f"{answer.icon} {run.reason}".strip())
        place = st.container()
        if run.crossovers:
            place.markdown(f":material/swap_horiz: {run.crossovers}")
        if note:
            st.caption(shown(note))
        _badges(badge, rests_on, custom=yours)
    return place


def crossovers(text: str) -> None:
    """Draw the crossovers where the page now is: in their place of the headline, once they are known."""
    run = record.current()
    run.crossovers = shown(text)
    if text:
        st.markdown(f":material/swap_horiz: {run.crossovers}")


def finding(text: str) -> None:
    """The answer to a further question of the page: drawn here, and part of its document."""
    record.current().findings.append(text)
    st.markdown(f"**{plain(text)}**")


def _badges(answered: Answered, rests_on: str, *, custom: bool) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if answered.origin:
            label, colour = ORIGINS.get(answered.origin, (f"{answered.origin} rates", "gray"))
            st.badge(label, color=colour)
        if rests_on:
            st.badge(rests_on, color="gray")
        if custom:
            st.badge(CUSTOM, color="green")
        if answered.reason:
            st.caption(plain(answered.reason), width="content")
        button.document("top")


def figures(items: Iterable[Figure]) -> None:
    """What the last edit changed, and a row of secondary numbers, wide enough for the longest label."""
    row = list(items)
    record.current().figures += [(item.label, item.value) for item in row]
    changes.show()
    widest = max((len(item.label) for item in row), default=0)
    width = max(NARROWEST, round(PADDING + PIXELS_PER_CHARACTER * widest))
    with st.grid(_columns(len(row), width), min_column_width=width, gap="small"):
        for item in row:
            st.metric(item.label, item.value, help=plain(item.help) or None, border=True)


def _columns(count: int, width: int) -> int:
    """Columns that fill the rows evenly on a desk: seven stand as four and three, never as six and one."""
    rows = max(1, ceil(count / max(1, DESK // width)))
    return max(1, ceil(count / rows))


def warnings(answer: Warned) -> None:
    """What the answer itself warns of."""
    lines = [names.in_words(line) for line in answer.warnings]
    record.current().warnings += lines
    for line in lines:
        st.warning(plain(line), icon=":material/warning:")


def numbers_and_sources(answer: Sourced, table: pd.DataFrame | None = None, *, caption: str = "") -> None:
    """The table, the formula, the assumptions and the sources: in the record of the page, and folded away on it."""
    title = caption or "Every number of the answer"
    if table is not None:
        record.add_table(title, table)
    texts = assumed(answer.assumptions), cite(answer.sources)

    def draw() -> None:
        if table is not None:
            tables.draw(table, title)
        if formula := getattr(answer, "formula", ""):
            st.latex(formula)
        for text in filter(None, texts):
            st.markdown(text)

    folded.numbers("Numbers, formula and sources", draw)


def assumptions(items: Iterable[str]) -> None:
    """What an answer assumes, one line each."""
    if text := assumed(items):
        st.markdown(text)


def assumed(items: Iterable[str]) -> str:
    """The assumptions noted in the record of the page, and as Markdown; empty where there are none."""
    lines = [plain(item) for item in items]
    record.current().assumptions += lines
    return "**Assumptions**\n\n" + "\n".join(f"* {line}" for line in lines) if lines else ""


def sources(items: Iterable[Source | str]) -> None:
    """The documents behind an answer, each once."""
    st.markdown(cite(items))


def cite(items: Iterable[Source | str]) -> str:
    """The documents noted in the record of the page, and as Markdown, each once."""
    lines = list(dict.fromkeys(cited(item) for item in items))
    record.add_sources(lines)
    return "**Sources**\n\n" + "\n".join(f"* {line}" for line in lines)


def cited(source: Source | str) -> str:
    """One document as Markdown, a link where it says where; its own words are never Markdown."""
    if isinstance(source, str):
        return plain(source)
    title, date = plain(source.title), f" ({plain(source.date)})" if source.date else ""
    if ADDRESS.fullmatch(source.where):
        return f"[{title}]({source.where}){date}"
    return f"{title}: {plain(source.where)}{date}"
