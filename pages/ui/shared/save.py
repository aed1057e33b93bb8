"""Save: the question of a calculator's page under a name, and the way to compare it with others."""

from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from core.checks import InputError
from core.collectives.cost_model.version import MODEL_VERSION
from db.errors import NotAllowedError, StoreError, UnknownRunError
from db.people import Role
from db.scenarios import MOST_NAME, SavedScenario
from pages.ui.shared import person, projects, record, stored
from pages.ui.shared.messages import plain, refusal
from pages.ui.shared.navigation import PAGES
from pages.ui.shared.question import labels
from pages.ui.shared.question.uses import MODEL, SYSTEM, USES
from pages.ui.shared.question_link import PAGES as CALCULATORS
from pages.ui.shared.question_link import QuestionLink

COMPARED = "_compared"
"""The sides of the session's last comparison as text, by letter."""
_LETTERS = "abcd"
_OUTCOME = "_save_outcome"
_NAME, _OFFERED = "_save_name", "_save_offered"
MOST_OWN = 2


class Outcome(NamedTuple):
    """What became of the last save of a session: the scenario, and why it was refused."""

    scenario: SavedScenario
    problem: str
    taken: bool = False


def popover() -> None:
    """The popover beside the link of a calculator's page, once it has answered; nothing on other pages."""
    run = record.current()
    if run.page not in CALCULATORS or not run.text or run.actions is None:
        return
    question = QuestionLink(run.page, urlsplit(run.link).query)
    with run.actions.popover("Save", icon=":material/bookmark_add:"):
        default = name(run)
        _name_field(default)
        scenario = SavedScenario(
            default, run.page, question.query, run.text, tuple(run.figures), MODEL_VERSION
        )
        project = projects.choose("_save_project")
        st.button(
            "Save",
            key="_save_scenario",
            icon=":material/bookmark_add:",
            disabled=(why_not := person.why_not(Role.UPLOADER)) is not None,
            help=why_not,
            on_click=_save,
            args=(scenario, project),
        )
        _outcome()
        _compare(question)


def name(run: record.Record) -> str:
    """The name that a question is offered: model and system, what else is not the default, and the page."""
    uses = USES.get(run.page, ())
    about = [labels.model()] if MODEL in uses else []
    about += [f"on {labels.system()}"] if SYSTEM in uses else []
    own = [
        f"{_short(item.label)} {item.value}"
        for item in run.question()
        if item.key not in _SAID and item.value not in (item.default, None, "")
    ]
    subject = ", ".join([" ".join(about), *own[:MOST_OWN]])
    return f"{subject[: MOST_NAME - len(run.title) - 3]} · {run.title}"


_SAID = ("system", "domains", "network", "model")
"""Inputs that model and system say already."""


def _short(label: str) -> str:
    """A label in few letters: the abbreviation in its brackets, else what stands before them."""
    before, _, inside = label.partition(" (")
    abbreviation = inside.rstrip(")")
    return abbreviation if abbreviation.isupper() else before


def _name_field(default: str) -> None:
    """The name; another question offers its own. One key: Streamlit forgets no key while a session lasts."""
    if st.session_state.get(_OFFERED) != default or _NAME not in st.session_state:
        st.session_state[_OFFERED] = st.session_state[_NAME] = default
    st.text_input("Name", key=_NAME, max_chars=MOST_NAME)


def _save(scenario: SavedScenario, project: str | None) -> None:
    """Keep it under the name that was typed."""
    typed = str(st.session_state.get(_NAME) or "").strip()
    _keep(replace(scenario, name=typed, project=project), replacing=False)


def _keep(scenario: SavedScenario, *, replacing: bool) -> None:
    try:
        stored.store().scenarios.keep(scenario, replace=replacing, project=scenario.project)
    except InputError as problem:
        taken = "already" in str(problem)
        st.session_state[_OUTCOME] = Outcome(scenario, refusal(problem), taken)
    except (NotAllowedError, UnknownRunError) as problem:
        st.session_state[_OUTCOME] = Outcome(scenario, refusal(problem))
    except StoreError as problem:
        st.session_state[_OUTCOME] = Outcome(scenario, f"{stored.SILENT}: {problem}")
    else:
        st.session_state[_OUTCOME] = Outcome(scenario, "")


def _replace(scenario: SavedScenario) -> None:
    _keep(scenario, replacing=True)


def _outcome() -> None:
    """What became of the last save, as long as the question is the one that was saved."""
    outcome: Outcome | None = st.session_state.get(_OUTCOME)
    if outcome is None or outcome.scenario.page != record.current().page:
        return
    if not outcome.problem:
        st.badge(plain(f"saved as {outcome.scenario.name}"), icon=":material/check:", color="green")
        return
    st.warning(plain(outcome.problem), icon=":material/block:")
    if outcome.taken:
        st.button(
            "Replace it",
            key="_save_replace",
            icon=":material/sync:",
            on_click=_replace,
            args=(outcome.scenario,),
            help="The former one can be brought back for thirty days.",
        )


def _compare(question: QuestionLink) -> None:
    """A link that puts this question beside those compared last, if they are of this calculator."""
    sides: dict[str, str] = st.session_state.get(COMPARED, {})
    alike = [text for text in sides.values() if text.startswith(f"{question.page}?")]
    texts = [*alike[: len(_LETTERS) - 1], str(question)]
    others = ", ".join(_LETTERS[: len(texts) - 1].upper())
    st.page_link(
        PAGES / "scenarios.py",
        label=f"Compare with {others}" if others else "Compare with another",
        icon=":material/balance:",
        query_params=dict(zip(_LETTERS, texts, strict=False)),
    )
