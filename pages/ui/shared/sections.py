"""The lower part of a page as tabs: only the open one is computed, the inputs of all are drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.checks import InputError
from pages.ui.shared import address, bound, states
from pages.ui.shared.document.wording import slug
from pages.ui.shared.messages import plain

FURTHER = "further_section"
"""Key of an open section that is not the first: on a phone it takes the room of the charts above it."""

TAB = "tab"
"""Name of the open section in the address."""
_FIRST = "_first_section"


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
    opened = _opened([section.title for section in sections])
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


def _opened(titles: Sequence[str]) -> str:
    """Which section is open, in the address and in the full link though it is no input of the question."""
    bound.carried(TAB)
    first, opened = st.session_state.get(_FIRST), st.session_state.get(TAB, titles[0])
    st.session_state[_FIRST] = titles[0]
    if opened not in titles or opened == first != titles[0]:
        st.session_state.pop(
            TAB, None
        )  # of the page, or of the answer, that was left: what the address names remains
    address.requested(TAB, partial(address.option, options=titles))
    opened = st.segmented_control(
        "Section",
        titles,
        key=TAB,
        default=titles[0],
        required=True,
        label_visibility="collapsed",
        bind="query-params",
    )
    return str(opened)


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
