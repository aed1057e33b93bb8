"""Who uses this session of the pages: whoever has signed in, or whoever an open server lets in."""

from collections.abc import Callable, Iterable
from functools import partial
from html import escape

import streamlit as st

from db import actor, roles
from db.errors import NotAllowedError
from db.opening import Opening, opening
from db.people import Person, Role
from pages.http.sign_in.ended import ENDED
from pages.http.sign_in.session import Session, of_text

SESSION = "session"
"""Under which Streamlit hands a checked session to the pages."""
SESSION_OVER = "Your session has ended: sign in again."


def current() -> Person:
    """
    Whoever acts now; asked anew at every call, since a session ends while its page is open.

    Raises:
        NotAllowedError: Nobody has signed in, the session has ended, or the settings give no role any more.
    """
    return _of(_session())


def of_session() -> Callable[[], Person]:
    """``current`` for this session, to be called outside its pages too: files are made there for a click."""
    return partial(_of, _session())


def gate() -> None:
    """Before anything of a page: who may not be here reads why, and nothing else runs."""
    try:
        current()
    except NotAllowedError as problem:
        st.title("Wirespeed")
        st.info(str(problem), icon=":material/lock:")
        st.html('<a href="./sign-in" target="_self">Sign in</a>')
        st.stop()


def line() -> None:
    """Who is here, with which role, and the way out; nothing on a server that is for its machine alone."""
    how = opening()
    if how is Opening.LOOPBACK:
        return
    person = current()
    if how is Opening.CLOSED:
        name, out = person.name, ' · <a href="./sign-out" target="_self">Sign out</a>'
    else:
        name, out = "open to everyone", ""
    with st.container(key="person"):
        st.html(f"<span>{escape(name)}</span><span> · {person.role}{out}</span>")


def why_not(role: Role) -> str | None:
    """Why a button is disabled: what is missing for a role, in a sentence; None where it may be pressed."""
    return actor.reason(current(), role)


def why_not_own(owners: Iterable[str | None]) -> str | None:
    """Why whoever is here may not delete, replace or restore what these people keep; None where they may."""
    person = current()
    if message := actor.reason(person, Role.UPLOADER):
        return message
    others = sorted({owner or "somebody unknown" for owner in owners if not actor.owns(person, owner)})
    return f"Kept by {', '.join(others)}: an admin may do this." if others else None


def _of(session: Session | None) -> Person:
    everyone = opening().everyone
    if everyone is not None:
        return everyone
    ENDED.recall()
    person = session.person(roles.rules()) if session else None
    if person is None:
        raise NotAllowedError(SESSION_OVER)
    return person


def _session() -> Session | None:
    return of_text(st.user.get(SESSION))
