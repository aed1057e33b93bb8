"""The store's runs: listed, selected for the chart, deleted and restored."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st

from db.errors import StoreError, UnknownRunError
from db.records import Page, RunRow
from db.store import Store, shared
from pages.ui.shared import bound, measured, selection, states, tables

MOST_RUNS = 200
FEW_ROWS, TABLE_HEIGHT = 6, 280


@lru_cache(maxsize=4)
def _prepared(store: Store) -> Store:
    store.prepare()
    return store


def store() -> Store:
    """The shared store with its schema in place."""
    return _prepared(shared())


def runs() -> list[measured.Shown]:
    """The list of stored runs, with delete and undo; gives those selected for the chart."""
    if problem := st.session_state.pop("_problem", ""):
        st.error(problem)
    try:
        numbers = store().numbers()
        page = _page(numbers)
    except StoreError as problem:
        states.outage(problem)
        return []
    _undo()
    if page.runs:
        height = "auto" if len(page.runs) <= FEW_ROWS else TABLE_HEIGHT
        tables.show(_run_table(page.runs), "Stored runs, newest first", height=height)
    elif numbers:
        st.info("No stored run is of such a GPU.")
    else:
        st.info("No runs are stored yet: upload a log and save it.")
    selected = _selected([str(number) for number in numbers])
    selection.actions(store(), selected)
    return [_shown(int(number)) for number in selected]


def _page(numbers: Sequence[int]) -> Page:
    """The newest runs; where there are more than a page, those of a GPU or from a number down."""
    if len(numbers) <= MOST_RUNS:
        return store().runs(limit=MOST_RUNS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        gpu = bound.text("GPU name contains", "stored_gpu", "", placeholder="H100")
        newest = bound.number("Newest run listed", "stored_from", numbers[0], low=1, high=numbers[0], step=1)
    st.caption(
        f"{len(numbers):,} runs are stored; {MOST_RUNS} are listed. Any of them can be selected below."
    )
    return store().runs(limit=MOST_RUNS, cursor=str(newest + 1), gpu=gpu.strip() or None)


def _selected(numbers: Sequence[str]) -> list[str]:
    """Runs picked for the chart; the widget stands even without runs, so that the address follows it."""
    if requested := st.session_state.get("runs"):
        st.session_state["runs"] = [number for number in requested if number in numbers]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        selected = bound.several("Runs on the chart", "runs", numbers, [])
        st.button("Delete", key="_delete", icon=":material/delete:", disabled=not selected, on_click=_delete)
    bound.report_rejected()
    return [number for number in selected if number in numbers]


def _shown(number: int) -> measured.Shown:
    return measured.Shown(f"run {number}", store().run(number).run)


def _run_table(rows: Iterable[RunRow]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "run": row.id,
            "measured": row.measured_at,
            "file": row.file,
            "format": row.format,
            "collective": row.collective or ", ".join(row.operations),
            "ranks": row.ranks,
            "GPUs": f"{row.gpu_count} × {row.gpu}" if row.gpu_count else row.gpu,
            "samples": row.sample_count,
            "warnings": row.warning_count,
            "note": row.note,
            "tags": ", ".join(row.tags),
        }
        for row in rows
    )


def _delete() -> None:
    """Hide the selected runs; undo restores them."""
    deleted = [int(number) for number in st.session_state.get("runs", [])]
    for number in deleted:
        store().delete(number)
    st.session_state["_deleted"] = deleted
    st.session_state["runs"] = []


def exists(number: int) -> bool:
    """Whether a run is in the store's list now: another window may have deleted it."""
    try:
        return store().run(number).row.deleted_at is None
    except UnknownRunError:
        return False
    except StoreError:
        return True


def _undo() -> None:
    deleted = st.session_state.get("_deleted")
    if not deleted:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Deleted run {', '.join(map(str, deleted))}.")
        st.button("Undo", key="_undo", icon=":material/undo:", on_click=_undelete)


def _undelete() -> None:
    deleted = st.session_state.pop("_deleted", [])
    for number in deleted:
        store().undelete(number)
    st.session_state["runs"] = [str(number) for number in deleted]
