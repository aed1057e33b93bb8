"""Projects: those that one sees; admins make and change them."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.errors import InputError
from db.errors import StoreError, UnknownRunError
from db.people import Role
from db.projects import MOST_NAME, Project
from pages.ui.shared import person, stored, tables

MEMBERS = "One a line: ada@example.com, @example.com for everyone of a domain, or group:lab."
NONE = "There is no project: everyone sees every run."
OUTSIDE = "You are in no project: you see what belongs to none."
MAKE, CHANGE = "_make_a_project", "_change_a_project"
"""Where a refused name or member is told: below the fields that it came from."""
TABLE_COLUMNS = ("project", "members", "made by", "made")


def draw() -> None:
    """The projects, and for admins what can be done with them."""
    try:
        listed = stored.store().projects.listed()
    except StoreError as problem:
        stored.outage(problem)
        return
    st.caption(
        "Runs, fits and scenarios of a project are seen by its members and by admins; "
        "those of no project by everyone who may use this server."
    )
    is_admin = person.current().may(Role.ADMIN)
    if listed:
        tables.show(_table(listed), "Projects", tables.moments("made"))
    else:
        st.info(NONE if is_admin else OUTSIDE)
    if is_admin:
        if listed:
            _change(listed)
        _make()


def _table(listed: Sequence[Project]) -> pd.DataFrame:
    rows = [(item.name, ", ".join(item.members), item.created_by, item.created_at) for item in listed]
    return pd.DataFrame(rows, columns=TABLE_COLUMNS)


def _make() -> None:
    with st.expander("New project", icon=":material/create_new_folder:", expanded=True):
        name = st.text_input("Name", key="_project_name", max_chars=MOST_NAME)
        members = st.text_area("Members", key="_project_members", help=MEMBERS, placeholder=MEMBERS)
        st.button(
            "Make project",
            key="_project_make",
            icon=":material/add:",
            disabled=not name.strip(),
            on_click=_made,
            args=(name, members),
        )
        stored.show_problem(MAKE)


def _change(listed: Sequence[Project]) -> None:
    by_name = {item.name: item for item in listed}
    if st.session_state.get("_project") not in by_name:
        st.session_state.pop("_project", None)
    with st.expander("Change a project", icon=":material/edit:"):
        name = st.selectbox("Project", list(by_name), key="_project")
        project = by_name[name]
        new = st.text_input("Its name", name, key=f"_project_new {project.id}", max_chars=MOST_NAME)
        members = st.text_area(
            "Its members", "\n".join(project.members), key=f"_project_members {project.id}", help=MEMBERS
        )
        with st.container(horizontal=True):
            st.button(
                "Save changes",
                key="_project_save",
                icon=":material/save:",
                on_click=_act,
                args=(_changed, name, new, members),
            )
            st.button(
                "Delete",
                key="_project_delete",
                icon=":material/delete:",
                help="Only a project to which no run, fit or scenario belongs.",
                on_click=_act,
                args=(_deleted, name),
            )
        stored.show_problem(CHANGE)


def _act(act: Callable[..., None], *arguments: Any) -> None:
    _went_through(CHANGE, act, *arguments)


def _went_through(place: str, act: Callable[..., None], *arguments: Any) -> bool:
    """Whether an act on projects went through; a refused input is named beside its fields."""
    try:
        act(*arguments)
    except InputError as problem:
        stored.report(problem, place)
    except (StoreError, UnknownRunError) as problem:
        stored.report(problem)
    else:
        return True
    return False


def _made(name: str, members: str) -> None:
    if _went_through(MAKE, stored.store().projects.make, name, members.splitlines()):
        st.session_state["_project_name"] = st.session_state["_project_members"] = ""


def _changed(name: str, new: str, members: str) -> None:
    stored.store().projects.change(name, new=new, members=members.splitlines())


def _deleted(name: str) -> None:
    stored.store().projects.delete(name)
