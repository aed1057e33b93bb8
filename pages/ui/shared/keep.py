"""Keep: a click stores the runs of a file or a text; the same run twice is one run."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.checks import InputError
from core.measurement import Run
from core.units import counted
from db.errors import NotAllowedError, StoreError, UnknownRunError
from db.people import Role
from pages.ui.shared import person, projects, stored
from pages.ui.shared.messages import plain
from pages.ui.shared.run_names import run_names

MOST_NAMED = 5
DELETED = "A run of these was deleted. It can be restored by who kept it, or by an admin."
_KEPT = "_kept"


class Outcome(NamedTuple):
    """What became of runs that were stored: a sentence, and their numbers."""

    text: str
    numbers: tuple[int, ...]


class Waiting(NamedTuple):
    """A document's runs: what they are remembered by in the session, the sha256 of the document, the runs."""

    key: str
    digest: str
    runs: Sequence[Run]


def button(label: str, key: str, digest: str, runs: Sequence[Run], *, select: bool = False) -> bool:
    """
    A button that stores runs, or what became of them; gives whether they are stored.

    Args:
        label: Of the button.
        key: What these runs are remembered by in the session.
        digest: sha256 of the document they came from.
        runs: As the document holds them.
        select: Whether they are then chosen in the list of stored runs.
    """
    if text := _outcome(key):
        st.badge(plain(text), icon=":material/check:", color="green")
        return True
    _ask(label, key, [Waiting(key, digest, runs)], select=select)
    return False


def button_of_all(label: str, documents: Sequence[Waiting], *, select: bool = False) -> None:
    """One button that stores the runs of several documents, of those that are not stored yet."""
    waiting = [document for document in documents if not is_stored(document.key)]
    if not waiting:
        st.badge(f"{counted(len(documents), 'log')} stored", icon=":material/check:", color="green")
        return
    _ask(label, "all", waiting, select=select)


def is_stored(key: str) -> bool:
    """Whether what is remembered by this key was stored in this session and is there still."""
    return bool(_outcome(key))


def _ask(label: str, key: str, documents: Sequence[Waiting], *, select: bool) -> None:
    project = projects.choose(f"_project_of_{key}")
    st.button(
        label,
        key=f"_save_{key}",
        icon=":material/save:",
        disabled=(why_not := person.why_not(Role.UPLOADER)) is not None,
        help=why_not,
        on_click=_store_all,
        args=(documents, project, select),
    )


def _outcome(key: str) -> str:
    """What became of runs that were stored; empty where they were not, or are deleted since."""
    kept: Outcome | None = st.session_state.get(_KEPT, {}).get(key)
    return kept.text if kept is not None and stored.exists(kept.numbers) else ""


def _store_all(documents: Sequence[Waiting], project: str | None, select: bool) -> None:
    for document in documents:
        _store(document.key, document.digest, document.runs, project, select)


def _store(key: str, digest: str, runs: Sequence[Run], project: str | None, select: bool) -> None:
    try:
        results = stored.store().save(list(runs), raw_sha256=digest, project=project)
        numbers = list(dict.fromkeys(result.id for result in results if not result.deleted))
        names = run_names(stored.store().rows(numbers[:MOST_NAMED]))
    except (StoreError, InputError, UnknownRunError) as problem:
        stored.report(problem)
        return
    if any(result.deleted for result in results):
        stored.report(NotAllowedError(DELETED))
    if not numbers:
        return
    listed = "; ".join(names[number] for number in numbers[:MOST_NAMED] if number in names)
    more = f" and {len(numbers) - MOST_NAMED} more" if len(numbers) > MOST_NAMED else ""
    verb = "stored as" if any(result.new for result in results) else "already stored as"
    st.session_state.setdefault(_KEPT, {})[key] = Outcome(f"{verb} {listed}{more}", tuple(numbers))
    stored.forget_deleted()
    if select:
        chosen = list(st.session_state.get("runs", []))
        st.session_state["runs"] = list(dict.fromkeys([*chosen, *map(str, numbers[:MOST_NAMED])]))
