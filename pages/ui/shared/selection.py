"""The chosen stored runs: taken away as a file, given a note and tags."""

from functools import partial

import streamlit as st

from core.checks import InputError
from db import export
from db.errors import StoreError, UnknownRunError
from pages.ui.shared.messages import plain

FILES = (
    ("CSV", "csv", "text/csv", export.as_csv),
    ("Parquet", "parquet", "application/vnd.apache.parquet", export.as_parquet),
    ("Run file", "json", "application/json", export.as_run_file),
)


def actions(store, chosen):
    """Download and describe the chosen runs; nothing while none is."""
    if said := st.session_state.pop("_described", ""):
        st.caption(f":material/check: {plain(said)}")
    if not chosen:
        return
    numbers = [int(one) for one in chosen]
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Export", icon=":material/download:"):
            _export(store, numbers)
        with st.popover("Note and tags", icon=":material/edit_note:"):
            _describe(store, numbers)


def _export(store, numbers):
    """One button per format; the file is made when it is asked for."""
    st.caption("A row per sample, rates computed from size and time; the run file holds everything.")
    stem = f"run-{numbers[0]}" if len(numbers) == 1 else f"{len(numbers)}-runs"
    with st.container(horizontal=True):
        for label, ending, kind, make in FILES:
            made = partial(make, store, numbers)
            st.download_button(
                label, made, f"{stem}.{ending}", kind, key=f"_export_{ending}", on_click="ignore"
            )


def _describe(store, numbers):
    """A note and tags for all chosen runs; what is left empty stays as it is."""
    which = ", ".join(map(str, numbers[:6])) + (" ..." if len(numbers) > 6 else "")
    st.caption(f"For run {which}. An empty field changes nothing.")
    st.text_input("Note", key="_note", placeholder="after the firmware update")
    st.text_input("Tags", key="_tags", placeholder="rack-4, acceptance")
    st.button("Keep", key="_annotate", icon=":material/check:", on_click=_annotate, args=(store, numbers))


def _annotate(store, numbers):
    note = st.session_state.get("_note", "").strip() or None
    tags = [tag.strip() for tag in st.session_state.get("_tags", "").split(",") if tag.strip()] or None
    if note is None and tags is None:
        return
    try:
        for number in numbers:
            store.annotate(number, note=note, tags=tags)
    except (StoreError, UnknownRunError, InputError) as problem:
        st.session_state["_problem"] = str(problem)
        return
    st.session_state["_note"] = st.session_state["_tags"] = ""
    st.session_state["_described"] = f"{len(numbers)} run{'s' if len(numbers) > 1 else ''} described."
