"""The saved scenarios: a list to open, rename, duplicate and delete, with a way back."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.checks import InputError
from core.collectives.cost_model.version import MODEL_VERSION
from db import versions
from db.errors import StoreError, UnknownRunError
from db.people import Role
from db.scenarios import SavedScenario
from pages.ui.scenarios.calculators import CALCULATORS
from pages.ui.shared import person, stored, tables
from pages.ui.shared.messages import plain, refusal
from pages.ui.shared.navigation import PAGES
from pages.ui.shared.question_link import QuestionLink

_DELETED, _OUTCOME = "_scenario_deleted", "_scenario_outcome"
MOST_DUPLICATES = 100
FEW_ROWS, TABLE_HEIGHT = 6, 260


def saved() -> list[SavedScenario]:
    """The saved scenarios, the latest first; none where the store does not answer."""
    try:
        return stored.store().scenarios.listed()
    except StoreError as problem:
        stored.outage(problem)
        return []


def draw(scenarios: list[SavedScenario]) -> None:
    """The list and what can be done with one of it."""
    _outcome()
    _undo()
    if not scenarios:
        st.info("No scenario is saved yet: every calculator has a button Save beside its link.")
        return
    height = "auto" if len(scenarios) <= FEW_ROWS else TABLE_HEIGHT
    tables.draw(_table(scenarios), "Saved scenarios, newest first", height=height)
    by_name = {item.name: item for item in scenarios}
    if st.session_state.get("_scenario") not in by_name:
        st.session_state.pop("_scenario", None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Scenario", list(by_name), key="_scenario")
        _actions(by_name[name])


def _table(scenarios: list[SavedScenario]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "name": item.name,
            "page": CALCULATORS[item.page].title if item.page in CALCULATORS else item.page,
            "answer then": item.answer,
            "saved": f"{item.saved_at:%d %b %Y, %H:%M}",
            "saved by": item.saved_by or "",
            "project": item.project or "",
            "model version": item.model_version
            + ("" if item.model_version == MODEL_VERSION else " (former)"),
        }
        for item in scenarios
    )


def _actions(scenario: SavedScenario) -> None:
    why_not, not_own = person.why_not(Role.UPLOADER), person.why_not_own([scenario.saved_by])
    if scenario.page in CALCULATORS:
        link = QuestionLink(scenario.page, scenario.query)
        st.page_link(
            PAGES / f"{scenario.page}.py",
            label="Open",
            icon=":material/open_in_new:",
            query_params=link.parameters,
        )
    with st.popover("Rename", icon=":material/edit:"):
        st.text_input("New name", scenario.name, key=f"_scenario_new {scenario.name}")
        st.button(
            "Rename",
            key="_scenario_rename",
            disabled=not_own is not None,
            help=not_own,
            on_click=_rename,
            args=(scenario.name,),
        )
    st.button(
        "Duplicate",
        key="_scenario_duplicate",
        icon=":material/content_copy:",
        disabled=why_not is not None,
        help=why_not,
        on_click=_duplicate,
        args=(scenario,),
    )
    st.button(
        "Delete",
        key="_scenario_delete",
        icon=":material/delete:",
        disabled=not_own is not None,
        help=not_own,
        on_click=_delete,
        args=(scenario.name,),
    )


def _rename(name: str) -> None:
    new = str(st.session_state.get(f"_scenario_new {name}") or "").strip()
    try:
        renamed = stored.store().scenarios.rename(name, new)
    except (InputError, StoreError, UnknownRunError) as problem:
        st.session_state[_OUTCOME] = refusal(problem)
        return
    st.session_state["_scenario"] = renamed.name


def _duplicate(scenario: SavedScenario) -> None:
    """Keep it again under the first free name."""
    try:
        scenarios = stored.store().scenarios
        taken = {item.name for item in scenarios.listed()}
        names = (f"{scenario.name[:90]} ({number})" for number in range(2, MOST_DUPLICATES))
        name = next((name for name in names if name not in taken), "")
        st.session_state["_scenario"] = scenarios.keep(
            replace(scenario, name=name), project=scenario.project
        ).name
    except (InputError, StoreError, UnknownRunError) as problem:
        st.session_state[_OUTCOME] = refusal(problem)


def _delete(name: str) -> None:
    try:
        stored.store().scenarios.delete(name)
    except (StoreError, UnknownRunError) as problem:
        st.session_state[_OUTCOME] = refusal(problem)
        return
    st.session_state[_DELETED] = name


def _outcome() -> None:
    """What the last click met, once."""
    stored.show_problem()
    if problem := st.session_state.pop(_OUTCOME, ""):
        st.error(plain(problem), icon=":material/block:")


def _undo() -> None:
    name = st.session_state.get(_DELETED)
    if not name:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(plain(f"Deleted {name}. It can be brought back for thirty days."))
        st.button(
            "Undo delete",
            key="_scenario_undo",
            icon=":material/undo:",
            on_click=_bring_back,
            args=(name,),
        )


def _bring_back(name: str) -> None:
    st.session_state.pop(_DELETED, None)
    try:
        past = stored.store().past
        former = past.versions(versions.SCENARIO, name)
        if former:
            past.bring_back(former[0].id)
    except (InputError, StoreError, UnknownRunError) as problem:
        st.session_state[_OUTCOME] = refusal(problem)
