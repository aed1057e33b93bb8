"""What a page shows in place of an answer: nothing yet, no answer, no database; each with a next step."""

import streamlit as st

from pages.ui.shared.messages import plain, refusal


def empty(text: str, step: str = "") -> None:
    """Nothing to show yet, and what to do about it."""
    st.info(_said(text, step), icon=":material/inbox:")


def no_answer(problem: object, step: str = "") -> None:
    """An input that has no answer, and what would have one."""
    st.warning(
        _said(plain(refusal(problem)), step), title="No answer for this combination", icon=":material/rule:"
    )


def outage(problem: object) -> None:
    """The store does not answer; what needs no stored run still works."""
    st.error(
        _said(
            str(problem), "Uploads and calculators work without it; stored runs and fits come back with it."
        ),
        title="The database does not answer",
        icon=":material/database_off:",
    )


def _said(text: str, step: str) -> str:
    return f"{text}\n\n:material/arrow_forward: {step}" if step else text
