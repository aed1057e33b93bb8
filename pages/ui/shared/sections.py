"""The lower part of a page as tabs: only the open one is computed, the inputs of all are drawn."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.checks import InputError
from pages.ui.shared import bound, states
from pages.ui.shared.document.wording import slug
from pages.ui.shared.messages import plain

FURTHER = "further_section"
"""Key of an open section that is not the first: on a phone it takes the room of the charts above it."""


@dataclass(frozen=True, slots=True)
class Section:
    """
    A tab.

    Attributes:
        title: Its label.
        draw: Draws it, with what ``inputs`` returned where there are inputs.
        inputs: Draws its inputs in every run, so that the address holds those of a closed tab too.
        drawn_when_closed: Whether document and export have it though it is closed.
    """

    title: str
    draw: Callable[..., object]
    inputs: Callable[[], object] | None = None
    drawn_when_closed: bool = False


def tabs(*sections: Section) -> None:
    """
    Draw the sections under a row of their titles, the first one open or the one that the address names.

    The row is one element: Streamlit's own tabs cost a browser more at every edit than all the rest of a page.
    """
    opened = bound.section([section.title for section in sections])
    for section in sections:
        if section.title == opened:
            _draw_open(section, sections[0])
        elif section.inputs is not None or section.drawn_when_closed:
            _draw_closed(section)


def _draw_open(section: Section, first: Section) -> None:
    """A further section says where the charts above it are, for whom they are folded away."""
    if section is first:
        _draw(section)
        return
    with st.container(key=FURTHER):
        st.caption(f"The page's own charts: under *{plain(first.title)}*.")
        _draw(section)


def _draw(section: Section) -> None:
    values = () if section.inputs is None else (section.inputs(),)
    try:
        section.draw(*values)
    except InputError as problem:
        # The section has no answer; the page above it has one.
        states.no_answer(problem)


def _draw_closed(section: Section) -> None:
    """What a closed section has to draw, on the page unseen."""
    with st.container(key=f"closed_{slug(section.title)}"):
        if section.drawn_when_closed:
            _draw(section)
        elif section.inputs is not None:
            section.inputs()
