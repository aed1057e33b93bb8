"""Inputs of the page Scenarios: up to four questions, saved, at hand, or pasted as links."""

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from db.scenarios import SavedScenario
from pages.ui.scenarios import listing, old_links, sides
from pages.ui.scenarios.calculators import CALCULATORS
from pages.ui.scenarios.sides import EXAMPLE, LETTERS, Side
from pages.ui.shared import address, bound, record
from pages.ui.shared.messages import plain
from pages.ui.shared.navigation import PAGES
from pages.ui.shared.question import peek
from pages.ui.shared.question_link import QuestionLink

PASTE_HELP = "The full link of a calculator's page, from its button Copy full link."


def choose(saved: Sequence[SavedScenario]) -> tuple[dict[str, str], dict[str, DeltaGenerator]]:
    """The sides as text and the places to show their answers, by letter; the example where there are none."""
    old_links.translate()
    _resume()
    _tools()
    places, texts = {}, {}
    letters = _letters()
    with st.container(key="sides"):
        columns = st.columns(len(letters))
    for letter, column in zip(letters, columns, strict=True):
        with column.container(border=True):
            places[letter] = st.container()
            with st.popover("Choose", icon=":material/edit:", width="stretch", key=f"_side_{letter}"):
                texts[letter] = _side(letter, saved)
    record.current().unused |= set(LETTERS)
    entered = {letter: text.strip() for letter, text in texts.items() if text.strip()}
    compared = entered or dict(EXAMPLE)
    sides.remember(compared)
    return compared, places


def any_side() -> bool:
    """Whether the reader compares something already, so that it is what the page is about."""
    return any(peek.text(letter, "") for letter in LETTERS)


def _letters() -> tuple[str, ...]:
    """The sides that stand, and the next one to fill."""
    filled = [place for place, letter in enumerate(LETTERS, start=1) if peek.text(letter, "")]
    return LETTERS[: max(LEAST, *filled, 0) + 1]


LEAST = 2
"""Sides that are always offered, beside the next one."""


def open_link(side: Side) -> None:
    """The side's name, a link to the calculator with its question."""
    st.page_link(
        PAGES / f"{side.link.page}.py",
        label=f"**{side.letter}** · {plain(side.name)}",
        help=f"Open it on the page {CALCULATORS[side.link.page].title}.",
        query_params=side.link.parameters,
    )


def _resume() -> None:
    """The session's last comparison, where the address says nothing of one."""
    unsaid = not any(letter in st.query_params or letter in st.session_state for letter in LETTERS)
    if unsaid and not address.decides() and sides.remembered() != EXAMPLE:
        for letter, text in sides.remembered().items():
            st.session_state[letter] = text


def _tools() -> None:
    """Buttons that copy A to B, or swap them."""
    with st.container(horizontal=True):
        st.button("Copy A to B", icon=":material/content_copy:", on_click=_copy, key="_copy_sides")
        st.button("Swap A and B", icon=":material/swap_horiz:", on_click=_swap, key="_swap_sides")


def _side(letter: str, saved: Sequence[SavedScenario]) -> str:
    """The widgets of one side; its question as text."""
    if saved:
        _pick("Saved scenario", f"{letter}_saved", [item.name for item in saved], letter)
    _pick("The question at hand, on", f"{letter}_page", list(CALCULATORS), letter)
    text = bound.text("... or a full link", letter, "", help=PASTE_HELP)
    st.button("Remove", key=f"_{letter}_remove", icon=":material/close:", on_click=_set, args=({letter: ""},))
    return text


def _pick(label: str, key: str, options: list[str], letter: str) -> None:
    """A list with a button that takes the chosen one for a side."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(label, options, key=f"_{key}", format_func=_title)
        st.button("Use", key=f"_{key}_use", on_click=_use, args=(key, letter))


def _title(option: str) -> str:
    return CALCULATORS[option].title if option in CALCULATORS else option


def _use(key: str, letter: str) -> None:
    """Take what is chosen in the list of this key for a side."""
    option = st.session_state[f"_{key}"]
    if key.endswith("_page"):
        _set({letter: str(at_hand(option))})
        return
    scenario = next((item for item in listing.saved() if item.name == option), None)
    if scenario is not None:
        _set({letter: str(QuestionLink(scenario.page, scenario.query, scenario.name))})


def at_hand(page: str) -> QuestionLink:
    """The shared question as it stands, put to a calculator."""
    pairs = [
        (item.key, address.text(item.value))
        for item in record.current().inputs.values()
        if item.key not in LETTERS and item.value not in (None, "", [])
    ]
    return QuestionLink(page, urlencode(pairs))


def _copy() -> None:
    texts = sides.remembered()
    _set(texts | {"b": texts.get("a", "")})


def _swap() -> None:
    texts = sides.remembered()
    _set(texts | {"a": texts.get("b", ""), "b": texts.get("a", "")})


def _set(texts: dict[str, str]) -> None:
    """Sides as text by letter; of the example, the other side stays."""
    for letter, text in (sides.remembered() | texts).items():
        st.session_state[letter] = text
