"""The store's runs: listed, selected for the chart, deleted and restored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pandas as pd
import streamlit as st

from db.acting import ActingStore
from db.errors import NotAllowedError, StoreError, UnknownRunError
from db.people import Role
from db.projects import EVERYONE
from db.records import Page, RunRow, StoredRun
from db.store import Store, shared
from pages.ui.shared import bound, empty_state, log_names, measured, person, selection, states, tables
from pages.ui.shared.messages import plain, refusal
from pages.ui.shared.run_names import run_name, run_names

MOST_RUNS = 200
FEW_ROWS, TABLE_HEIGHT = 6, 280
ALL = "all"
SILENT = "The database does not answer"
_PROBLEM, _DELETED = "_problem", "_deleted"


@lru_cache(maxsize=4)
def _prepared(store: Store) -> Store:
    store.prepare()
    return store


def store() -> ActingStore:
    """The shared store with its schema in place, as whoever is here sees it: the only way of the pages to it."""
    return ActingStore(_prepared(shared()), person.of_session())


def report(problem: Exception, place: str = "") -> None:
    """Keep what a click met, for the next run to say at this place of the page; at its top without one."""
    st.session_state[_PROBLEM + place] = refusal(problem)


def show_problem(place: str = "") -> None:
    """What the last click met, once, where it is told at this place."""
    if problem := st.session_state.pop(_PROBLEM + place, ""):
        icon = ":material/edit_off:" if place else ":material/database_off:"
        st.error(plain(problem), icon=icon)


def outage(problem: StoreError) -> None:
    """Say that the database does not answer, or that whoever is here may not see it."""
    if isinstance(problem, NotAllowedError):
        st.warning(plain(problem), icon=":material/lock:")
    else:
        states.outage(plain(problem))


def names() -> dict[str, str]:
    """The name of each stored run by its number, newest first; nothing where the store does not answer."""
    try:
        return {str(number): name for number, name in run_names(store().labels()).items()}
    except StoreError as problem:
        outage(problem)
        return {}


def opened(number: str) -> StoredRun | None:
    """A stored run with its measurements; None, and why, where the store cannot give it."""
    try:
        return store().run(int(number))
    except UnknownRunError as problem:
        st.error(plain(problem), icon=":material/search_off:")
    except StoreError as problem:
        outage(problem)
    return None


@dataclass(frozen=True, slots=True)
class Stored:
    """Runs selected for the chart, and whether there is any to select."""

    selected: Sequence[measured.Shown] = ()
    some: bool = False


def runs() -> Stored:
    """The list of stored runs, with delete and undo; gives those selected for the chart."""
    show_problem()
    try:
        named = {str(number): name for number, name in run_names(store().labels()).items()}
        page = _page(list(named))
    except StoreError as problem:
        outage(problem)
        return Stored()
    _undo()
    if page.runs:
        height = "auto" if len(page.runs) <= FEW_ROWS else TABLE_HEIGHT
        columns = tables.moments("measured")
        tables.draw(_run_table(page.runs), "Stored runs, newest first", columns, height=height)
    elif named:
        st.info("No stored run is of such a GPU or project.")
    elif person.current().may(Role.UPLOADER):
        st.info(f"No run is stored yet: save a log above, or send it: `{empty_state.push_command()}`.")
    else:
        st.info("No run is stored yet.")
    selected = _selected(named, {str(row.id): row.uploaded_by for row in page.runs})
    selection.actions(store(), {number: named[number] for number in selected})
    records = [(named[number], opened(number)) for number in selected]
    return Stored([measured.stored(name, record.run) for name, record in records if record], bool(named))


def _page(numbers: Sequence[str]) -> Page:
    """The newest runs; where there are more than a page, those of a GPU or from a number down."""
    project = _project()
    if len(numbers) <= MOST_RUNS:
        return store().runs(limit=MOST_RUNS, project=project)
    most = int(numbers[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        gpu = bound.text("GPU name contains", "stored_gpu", "", placeholder="H100")
        newest = bound.number("Newest run listed", "stored_from", most, low=1, high=most, step=1)
    st.caption(
        f"{len(numbers):,} runs are stored; {MOST_RUNS} are listed. Any of them can be selected below."
    )
    return store().runs(limit=MOST_RUNS, cursor=str(newest + 1), gpu=gpu.strip() or None, project=project)


def projects() -> list[str]:
    """The projects that whoever is here sees, by name; none where the store does not answer."""
    try:
        return [project.name for project in store().projects.listed()]
    except StoreError:
        return []


def _project() -> str | None:
    """Of which project runs are listed, as the address holds it; None for all that are seen."""
    available = projects()
    if not available and "project" not in st.query_params:
        return None
    chosen = bound.choice("Project", "project", [ALL, EVERYONE, *available])
    return None if chosen == ALL else chosen


def _selected(named: Mapping[str, str], owners: Mapping[str, str | None]) -> list[str]:
    """Runs picked for the chart; the widget stands even without runs, so that the address follows it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        selected = bound.several("Runs on the chart", "runs", named, [], names=named)
        why_not = person.why_not_own(owners[number] for number in selected if number in owners)
        st.button(
            "Delete",
            key="_delete",
            icon=":material/delete:",
            disabled=not selected or why_not is not None,
            help=why_not,
            on_click=_delete,
            args=(selected,),
        )
    bound.report_rejected()
    return [number for number in selected if number in named]


def _run_table(rows: Iterable[RunRow]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "run": row.id,
            "measured": row.measured_at,
            "file": row.file,
            "tool": log_names.tool(row.format),
            "collective": ", ".join(
                map(log_names.operation, [row.collective] if row.collective else row.operations)
            ),
            "ranks": row.ranks,
            "GPUs": f"{row.gpu_count} × {row.gpu}" if row.gpu_count else row.gpu,
            "samples": row.sample_count,
            "warnings": row.warning_count,
            "uploaded by": row.uploaded_by or "",
            "project": row.project or "",
            "note": row.note,
            "tags": ", ".join(row.tags),
        }
        for row in rows
    )


def exists(numbers: Sequence[int]) -> bool:
    """Whether one of these runs is in the store's list now: another window may have deleted it."""
    try:
        return any(row.deleted_at is None for row in store().rows(numbers))
    except StoreError:
        return True


def forget_deleted() -> None:
    """Offer no undo of an earlier delete any more."""
    st.session_state.pop(_DELETED, None)


def _delete(numbers: Sequence[str]) -> None:
    """Hide runs; undo restores them. What the store refuses stays selected and is said."""
    deleted: dict[int, str] = {}
    try:
        rows = {row.id: run_name(row) for row in store().rows([int(number) for number in numbers])}
        for number, name in rows.items():
            store().delete(number)
            deleted[number] = name
    except (StoreError, UnknownRunError) as problem:
        report(problem)
    if deleted:
        st.session_state[_DELETED] = deleted
    st.session_state["runs"] = [number for number in numbers if int(number) not in deleted]


def _undo() -> None:
    deleted: dict[int, str] = st.session_state.get(_DELETED, {})
    if not deleted:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Deleted: {plain('; '.join(deleted.values()))}.")
        st.button("Undo", key="_undo", icon=":material/undo:", on_click=_undelete)


def _undelete() -> None:
    deleted: dict[int, str] = st.session_state.get(_DELETED, {})
    try:
        for number in deleted:
            store().undelete(number)
    except (StoreError, UnknownRunError) as problem:
        report(problem)
        return
    st.session_state["runs"] = [str(number) for number in deleted]
    forget_deleted()
