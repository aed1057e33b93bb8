"""What a page shows in place of an answer: nothing yet, no answer, trouble; each with a next step."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.ui.shared.messages import plain


def empty(text: str, step: str = "") -> None:
    """Nothing to show yet, and what to do about it."""
    st.info(_said(text, step), icon=":material/inbox:")


def no_answer(problem: object, step: str = "") -> None:
    """An input that has no answer, and what would have one."""
    st.warning(_said(plain(problem), step), title="No answer for this combination", icon=":material/rule:")


def trouble(problem: object, step: str = "") -> None:
    """Something that should work does not."""
    st.error(_said(plain(problem), step), icon=":material/error:")


@contextmanager
def working(text: str) -> Iterator[None]:
    """Say what is computed where it takes longer than a moment."""
    with st.spinner(text, show_time=True):
        yield


def _said(text: str, step: str) -> str:
    return f"{text}\n\n:material/arrow_forward: {step}" if step else text
