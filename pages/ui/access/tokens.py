"""Tokens: made and shown once, listed, revoked."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from core.errors import InputError
from db.errors import StoreError, UnknownRunError
from db.people import Role
from db.tokens import DEFAULT_DAYS, MOST_DAYS, MOST_NAME, SCOPES, Token
from pages.ui.shared import person, projects, stored, tables
from pages.ui.shared.messages import plain

_MADE = "_token_made"
MOMENTS = ("last use", "made")
ALL = "_tokens_of_all"
CHOSEN = "_token_chosen"


def draw() -> None:
    """Make a token, and what became of those made before."""
    _made()
    with st.container(border=True):
        _form()
    try:
        listed = _listed()
    except StoreError as problem:
        stored.outage(problem)
        return
    if not listed:
        st.info("There is no token yet: make one above, and give it to a program such as your CI.")
        return
    tables.show(_table(listed), "Tokens, newest first", tables.moments(*MOMENTS))
    _revoke([token for token in listed if token.works(datetime.now(UTC))])


def _form() -> None:
    """Name, scope, project and days of a new token."""
    scopes = [scope for scope, role in SCOPES.items() if person.current().may(role)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", key="_token_name", max_chars=MOST_NAME, placeholder="CI of our cluster")
        default = scopes.index("upload") if "upload" in scopes else 0
        scope = st.selectbox("Scope", scopes, index=default, key="_token_scope", help=_SCOPES)
        project = projects.choose("_token_project", ONE_PROJECT, "all that I see")
        days = st.number_input("Days", 1, MOST_DAYS, DEFAULT_DAYS, key="_token_days")
        st.button(
            "Make token",
            key="_token_make",
            icon=":material/key:",
            disabled=not name.strip(),
            on_click=_make,
            args=(name, scope, int(days), project),
        )
    st.caption(
        "Who bears a token acts in your name, with its scope or your role of the day, whichever is lower."
    )


ONE_PROJECT = "Whose runs alone the token sees, and where it uploads."
_SCOPES = "read: lists and opens runs; upload: keeps runs as well; admin: all of it, and /metrics."


def _make(name: str, scope: str, days: int, project: str | None) -> None:
    try:
        made = stored.store().tokens.make(name, scope, days=days, project=project)
    except (InputError, StoreError, UnknownRunError) as problem:
        stored.report(problem)
        return
    st.session_state[_MADE] = (name.strip(), made)
    st.session_state["_token_name"] = ""


def _made() -> None:
    """The text of a token that was just made, until it is put away."""
    if _MADE not in st.session_state:
        return
    name, made = st.session_state[_MADE]
    with st.container(border=True):
        st.markdown(f"**{plain(name)}** is made. Copy it now: it is kept nowhere and not shown again.")
        st.code(made, language=None, wrap_lines=True)
        command = "python3 wirespeed-probe.pyz push run.json --server URL"
        st.caption(f"A program sends it as `Authorization: Bearer`; `WIRESPEED_API_TOKEN=... {command}`.")
        st.button("I have copied it", key="_token_copied", icon=":material/check:", on_click=_put_away)


def _put_away() -> None:
    st.session_state.pop(_MADE, None)


def _listed() -> list[Token]:
    """One's own tokens; everyone's where an admin wants them."""
    kept = stored.store().tokens
    of_all = person.current().may(Role.ADMIN) and st.toggle("Everyone's tokens", key=ALL)
    return kept.listed() if of_all else kept.mine()


def _table(listed: Sequence[Token]) -> pd.DataFrame:
    now = datetime.now(UTC)
    return pd.DataFrame(
        {
            "token": token.id,
            "name": token.name,
            "owner": token.owner,
            "scope": token.scope,
            "project": token.project or "",
            "state": _state(token, now),
            "last use": token.used_at,
            "made": token.created_at,
        }
        for token in listed
    )


def _state(token: Token, now: datetime) -> str:
    if token.revoked_at is not None:
        return f"revoked {token.revoked_at:%d %b %Y} by {token.revoked_by}"
    ends = f"{token.expires_at:%d %b %Y}"
    return f"until {ends}" if now < token.expires_at else f"ended {ends}"


def _revoke(working: Sequence[Token]) -> None:
    """Choose one that works, and take it back once that is confirmed."""
    if not working:
        return
    names = {token.id: f"{token.name} ({token.id}, {token.owner})" for token in working}
    if st.session_state.get(CHOSEN) not in names:
        st.session_state.pop(CHOSEN, None)
    number = st.selectbox(
        "Revoke a token",
        list(names),
        index=None,
        format_func=lambda item: names.get(item, str(item)),
        key=CHOSEN,
        placeholder="Choose the token to revoke",
    )
    if number is None:
        return
    with st.container(border=True, key="token_confirm"):
        st.markdown(
            f"**{plain(names[number])}** stops working at once, for every program that bears it, and cannot be "
            "brought back."
        )
        with st.container(horizontal=True):
            st.button(
                "Revoke it",
                key="_token_revoke",
                type="primary",
                icon=":material/block:",
                on_click=_take_back,
                args=(number,),
            )
            st.button("Keep it", key="_token_keep", on_click=_choose_none)


def _choose_none() -> None:
    st.session_state[CHOSEN] = None


def _take_back(number: int) -> None:
    try:
        stored.store().tokens.revoke(number)
    except (StoreError, UnknownRunError) as problem:
        stored.report(problem)
