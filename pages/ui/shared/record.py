"""What a run of a page has shown, collected as it is drawn: inputs, answer, charts, tables, sources."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.shared import names as spelling

_RECORD, _FORMER, _MARKED = "_page_record", "_page_record_former", "_page_record_marked"


@dataclass(frozen=True, slots=True)
class Input:
    """
    An input of the page.

    Attributes:
        key: Its name in the address.
        label: What the page calls it.
        value: As used in this run; None where it is empty.
        default: The value without an address; None where there is none.
        names: What the page shows in place of values that are ids.
    """

    key: str
    label: str
    value: Any
    default: Any
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DrawnChart:
    """A chart as drawn: its Vega-Lite spec, its frames by name, and what it shows in words."""

    alt: str
    spec: Mapping[str, Any]
    frames: Mapping[str, pd.DataFrame]


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table as drawn, what it shows in words, and Streamlit's configuration by column."""

    alt: str
    frame: pd.DataFrame
    columns: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Record:
    """
    What one run of a page has shown so far, in the order of the page.

    Attributes:
        page: The page's name in the address; empty for Home.
        title: What the navigation calls it.
        inputs: By name in the address.
        unused: Names of the inputs that this page does not answer to.
        question_problem: What the bar has said is wrong with the question; empty where nothing is.
        text, reason, crossovers, note: Of the headline.
        origin: Key of ``answer.ORIGINS``: what the rates are.
        system: Id of the system that answered where it is not the question's; else empty.
        findings: Answers to further questions of the page, a sentence each.
        figures: Label and value of each secondary number.
        sources: As Markdown.
        link: Opens this question again, every input spelled out; empty before the end of the page.
        actions: The place beside the link; None before the end of the page.
    """

    page: str = ""
    title: str = ""
    inputs: dict[str, Input] = field(default_factory=dict)
    unused: set[str] = field(default_factory=set)
    question_problem: str = ""
    text: str = ""
    reason: str = ""
    crossovers: str = ""
    note: str = ""
    origin: str = ""
    system: str = ""
    findings: list[str] = field(default_factory=list)
    figures: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    charts: list[DrawnChart] = field(default_factory=list)
    tables: list[DrawnTable] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    link: str = ""
    actions: DeltaGenerator | None = None

    def question(self) -> list[Input]:
        """The inputs that the page answers to, in the order of the page."""
        return [item for key, item in self.inputs.items() if key not in self.unused]


def start(page: str, title: str) -> None:
    """Begin the record of this run; the one of the last run of the session stays as ``former``."""
    if _RECORD in st.session_state:
        st.session_state[_FORMER] = st.session_state[_RECORD]
    st.session_state[_RECORD] = Record(page, title)


def mark() -> None:
    """Remember the record as it is now, with the shared question and nothing of the page."""
    st.session_state[_MARKED] = _copied(current())


def marked() -> Record:
    """The record as it was when it was last marked."""
    record: Record = st.session_state[_MARKED]
    return record


def resume() -> None:
    """Begin the record of a run of the page alone: it goes on from the mark."""
    st.session_state[_FORMER] = current()
    st.session_state[_RECORD] = _copied(marked())


def _copied(record: Record) -> Record:
    """A record of its own: what is added to one is not in the other."""
    twin = copy(record)
    for item in fields(record):
        value = getattr(record, item.name)
        if isinstance(value, (dict, list, set)):
            setattr(twin, item.name, value.copy())
    return twin


def current() -> Record:
    """The record of this run."""
    record: Record | None = st.session_state.get(_RECORD)
    if record is None:
        st.session_state[_RECORD] = record = Record()
    return record


def former() -> Record | None:
    """The record of the session's last run; None in the first."""
    record: Record | None = st.session_state.get(_FORMER)
    return record


def add_input(key: str, label: str, value: Any, default: Any, names: Mapping[str, str] | None = None) -> None:
    """Note an input as a page draws it."""
    current().inputs[key] = Input(key, spelling.alone(label), value, default, names or {})


def add_chart(alt: str, spec: Mapping[str, Any], frames: Mapping[str, pd.DataFrame]) -> None:
    """Note a chart as a page draws it; nothing is copied."""
    current().charts.append(DrawnChart(alt, spec, frames))


def add_table(alt: str, frame: pd.DataFrame, columns: Mapping[str, Any] | None = None) -> None:
    """Note a table as a page draws it; nothing is copied."""
    current().tables.append(DrawnTable(alt, frame, columns or {}))


def add_sources(lines: Iterable[str]) -> None:
    """Note documents, each once."""
    record = current()
    record.sources = list(dict.fromkeys((*record.sources, *lines)))
