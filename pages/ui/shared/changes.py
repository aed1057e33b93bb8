"""What the last edit changed: the input, the old answer and the new one, in a line below the headline."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui.shared import address, record
from pages.ui.shared.messages import plain

MOST_INPUTS, MOST_FIGURES = 3, 4
ARROW = " → "
UNIT = r"(?:\s?(?:%|×|[kKMGT]i?B(?:/s)?|[nµm]?s))?"
NUMBER = re.compile(rf"(?<![\w.])\$?\d+(?:,\d{{3}})*(?:\.\d+)?{UNIT}(?!\w|\.\d)")
ANY_NUMBER = re.compile(rf"\d[\d,.]*{UNIT}")
VERB = re.compile(r"\s*\b(?:takes|costs|is|are|at|of)\s*$")
_ANSWERED, _LINE = "_changes_answered", "_changes_line"


@dataclass(frozen=True, slots=True)
class Change:
    """A label and what stood beside it before and now."""

    label: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.label} {self.old}{ARROW}{self.new}".strip()


def show() -> None:
    """Say it, once the headline and the figures of the run are in its record; nothing on a page's first run."""
    run = record.current()
    if not run.text:
        return
    before: record.Record | None = st.session_state.get(_ANSWERED)
    st.session_state[_ANSWERED] = run
    if before is run:
        return
    if before is None or before.page != run.page:
        st.session_state[_LINE] = ""
    elif edited := inputs(before, run):
        st.session_state[_LINE] = line(edited, answers(before, run))
    if st.session_state[_LINE]:
        with st.container(key="changes"):
            st.caption(f":material/change_history: {plain(st.session_state[_LINE])}")


def forget() -> None:
    """Take the next run as a page's first: it answers the same from another place, and no input was edited."""
    st.session_state.pop(_ANSWERED, None)


def line(edited: Iterable[Change], changed: Iterable[object]) -> str:
    """Inputs, a colon, answers."""
    causes, effects = list(edited), list(changed)
    more = f" and {len(causes) - MOST_INPUTS} more" if len(causes) > MOST_INPUTS else ""
    shown = "; ".join(map(str, effects[:MOST_FIGURES])) or "the answer stays the same"
    return f"{', '.join(map(str, causes[:MOST_INPUTS]))}{more}: {shown}"


def inputs(before: record.Record, now: record.Record) -> list[Change]:
    """The inputs that the page answers to, that both runs have and that differ."""
    return [
        Change(
            item.label,
            _said(before.inputs[item.key].value, item.names),
            _said(item.value, item.names),
        )
        for item in now.question()
        if item.key in before.inputs and before.inputs[item.key].value != item.value
    ]


def answers(before: record.Record, now: record.Record) -> list[Change | str]:
    """The number of the headline that differs, and the figures that do; each once."""
    old = dict(before.figures)
    figures = [
        Change(label, old[label], value) for label, value in now.figures if old.get(label, value) != value
    ]
    if ANY_NUMBER.sub("#", before.text) != ANY_NUMBER.sub("#", now.text):
        return [f"before, “{before.text}”", *figures]
    headline = _headline(before, now)
    if headline is None or any((item.old, item.new) == (headline.old, headline.new) for item in figures):
        return [*figures]
    return [headline, *figures]


def _headline(before: record.Record, now: record.Record) -> Change | None:
    """The first number that differs between two sentences otherwise alike, and that is no input."""
    edited = {(item.old, item.new) for item in inputs(before, now)}
    pairs = zip(NUMBER.finditer(before.text), NUMBER.finditer(now.text), strict=False)
    for position, (old, new) in enumerate(pairs):
        if old[0] != new[0] and (old[0], new[0]) not in edited:
            label = "answer" if position else VERB.sub("", now.text[: new.start()])
            return Change(label, old[0], new[0])
    return None


def _said(value: Any, names: Mapping[str, str]) -> str:
    if value is None or value in ("", []):
        return "empty"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ", ".join(_said(part, names) for part in value)
    if isinstance(value, int):
        return f"{value:,}"
    return names.get(address.text(value), address.text(value))
