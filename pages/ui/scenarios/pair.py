"""The pair that is explained: one for the headline, the waterfall and the table of terms."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.scenarios import summary
from pages.ui.scenarios.sides import Side
from pages.ui.shared import bound
from pages.ui.shared.question import peek

CHOSEN, _OFFERED = "against", "_against_offered"


def other(sides: Sequence[Side]) -> Side | None:
    """The side that is explained against the first: the reader's choice, else the best; None without another."""
    others = sides[1:]
    if not others:
        return None
    best = summary.best(sides)
    offered = others[0] if best is sides[0] else best
    _follow(offered.letter)
    letter = peek.text(CHOSEN, offered.letter)
    return next((side for side in others if side.letter == letter), offered)


def choose(sides: Sequence[Side], explained: Side) -> None:
    """The widget, where there are several."""
    letters = [side.letter for side in sides[1:]]
    if len(letters) > 1:
        bound.switch("Explain", CHOSEN, letters, explained.letter, hidden=True)


def _follow(offered: str) -> None:
    """What was offered and not chosen goes with the answers."""
    former = st.session_state.get(_OFFERED)
    if former not in (None, offered) and st.session_state.get(CHOSEN) == former:
        st.session_state[CHOSEN] = offered
    st.session_state[_OFFERED] = offered
