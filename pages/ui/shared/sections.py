"""The lower part of a page as tabs: only the open one is computed, the inputs of all are drawn."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.checks import InputError
from pages.ui.shared import record, states

ADDRESS = "tab"
"""Name in the address of the tab that a link opens."""


@dataclass(frozen=True, slots=True)
class Section:
    """
    A tab.

    Attributes:
        title: Its label.
        draw: Draws it, with what ``inputs`` returned where there are inputs.
        inputs: Draws its inputs in every run, so that the address holds those of a closed tab too.
    """

    title: str
    draw: Callable[..., object]
    inputs: Callable[[], object] | None = None


def tabs(*sections: Section) -> None:
    """Draw the sections as tabs, the first one open or the one that the address names."""
    titles = [section.title for section in sections]
    linked = st.query_params.get(ADDRESS)
    panels = st.tabs(
        titles,
        key=f"_tab_{record.current().page}",
        on_change="rerun",
        default=linked if linked in titles else None,
    )
    for section, panel in zip(sections, panels, strict=True):
        with panel:
            values = () if section.inputs is None else (section.inputs(),)
            if not panel.open:
                continue
            try:
                section.draw(*values)
            except InputError as problem:
                # The tab has no answer; the page above it has one.
                states.no_answer(problem)
