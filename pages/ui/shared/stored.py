"""The store's runs: listed, chosen for the chart, deleted and brought back."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from db.errors import StoreError, UnknownRunError
from db.store import shared
from pages.ui.shared import bound, measured, selection, tables

MOST_RUNS = 200


@lru_cache(maxsize=4)
def _prepared(store):
    store.prepare()
    return store


def store():
    """The shared store with its schema in place."""
    return _prepared(shared())


def runs():
    """The list of stored runs and those chosen for the chart; delete with undo."""
    if problem := st.session_state.pop("_problem", ""):
        st.error(problem)
    try:
        known = store().numbers()
        page = _page(known)
    except StoreError as problem:
        st.error(str(problem), title="The store does not answer")
        return []
    _undo()
    if page.runs:
        height = "auto" if len(page.runs) < 7 else 280
        tables.show(_run_table(page.runs), "Stored runs, newest first", height=height)
    elif known:
        st.info("No stored run is of such a GPU.")
    else:
        st.info("No runs are stored yet: upload a log and save it.")
    chosen = _chosen([str(one) for one in known])
    selection.actions(store(), chosen)
    return [_stored(int(one)) for one in chosen]


def _page(known):
    """The newest runs; where there are more than a page, those of a GPU or from a number down."""
    if len(known) <= MOST_RUNS:
        return store().runs(limit=MOST_RUNS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        gpu = bound.text("Of GPUs named", "stored_gpu", "", placeholder="H100")
        newest = bound.number("From run, going back", "stored_from", known[0], low=1, high=known[0], step=1)
    st.caption(f"{len(known):,} runs are stored; {MOST_RUNS} are listed. Every number can be chosen below.")
    return store().runs(limit=MOST_RUNS, cursor=str(newest + 1), gpu=gpu.strip() or None)


def _chosen(known):
    """Runs picked for the chart; the widget stands even without runs, so that the address follows it."""
    if asked := st.session_state.get("runs"):
        st.session_state["runs"] = [one for one in asked if one in known]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = bound.several("Runs on the chart", "runs", known, [])
        st.button("Delete", key="_delete", icon=":material/delete:", disabled=not chosen, on_click=_delete)
    bound.report_rejected()
    return [one for one in chosen if one in known]


def _stored(number):
    one = store().run(number)
    return measured.Shown(f"run {number}", one.run, number)


def _run_table(found):
    return pd.DataFrame(
        {
            "run": one.id,
            "measured": one.measured_at,
            "file": one.file,
            "format": one.format,
            "collective": one.collective or ", ".join(one.operations),
            "ranks": one.ranks,
            "GPUs": f"{one.gpu_count} × {one.gpu}" if one.gpu_count else one.gpu,
            "samples": one.sample_count,
            "warnings": one.warning_count,
            "note": one.note,
            "tags": ", ".join(one.tags),
        }
        for one in found
    )


def _delete():
    """Hide the chosen runs; they can be brought back."""
    gone = [int(one) for one in st.session_state.get("runs", [])]
    for number in gone:
        store().delete(number)
    st.session_state["_deleted"] = gone
    st.session_state["runs"] = []


def there(number):
    """Whether a run is in the store's list now: another window may have deleted it."""
    try:
        return store().run(number).row.deleted_at is None
    except UnknownRunError:
        return False
    except StoreError:
        return True


def _undo():
    gone = st.session_state.get("_deleted")
    if not gone:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Deleted run {', '.join(map(str, gone))}.")
        st.button("Undo", key="_undo", icon=":material/undo:", on_click=_undelete)


def _undelete():
    gone = st.session_state.pop("_deleted", [])
    for number in gone:
        store().undelete(number)
    st.session_state["runs"] = [str(one) for one in gone]
