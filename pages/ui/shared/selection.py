"""The selected stored runs: exported as a file, given a note and tags."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.checks import InputError
from core.units import counted
from db import export
from db.acting import ActingStore
from db.errors import StoreError, UnknownRunError
from db.people import Role
from pages.ui.shared import person
from pages.ui.shared.messages import plain


@dataclass(frozen=True, slots=True)
class FileKind:
    """A format to export in: its button's label, file ending, media type and writer."""

    label: str
    ending: str
    media_type: str
    write: Callable[[ActingStore, Sequence[int]], bytes]


FILES = (
    FileKind("CSV", "csv", "text/csv", export.as_csv),
    FileKind("Parquet", "parquet", "application/vnd.apache.parquet", export.as_parquet),
    FileKind("Run file", "json", "application/json", export.as_run_file),
)
MOST_NAMED = 6
_NOTE, _TAGS, _SAVED = "_note", "_tags", "_described"


def actions(store: ActingStore, selected: Mapping[str, str]) -> None:
    """Export and annotate the selected runs, named by number; nothing while none is."""
    if saved := st.session_state.pop(_SAVED, ""):
        st.caption(f":material/check: {plain(saved)}")
    if not selected:
        return
    numbers = [int(number) for number in selected]
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Export", icon=":material/download:"):
            _export(store, numbers)
        with st.popover("Note and tags", icon=":material/edit_note:"):
            _describe(store, numbers, list(selected.values()))


def _export(store: ActingStore, numbers: list[int]) -> None:
    """One button per format; the file is made on demand."""
    st.caption("One row per sample, rates computed from size and time; the run file contains everything.")
    stem = f"run-{numbers[0]}" if len(numbers) == 1 else f"{len(numbers)}-runs"
    with st.container(horizontal=True):
        for kind in FILES:
            st.download_button(
                kind.label,
                partial(kind.write, store, numbers),
                f"{stem}.{kind.ending}",
                kind.media_type,
                key=f"_export_{kind.ending}",
                on_click="ignore",
            )


def _describe(store: ActingStore, numbers: list[int], names: list[str]) -> None:
    """A note and tags for all selected runs; an empty field stays as it is."""
    listed = "; ".join(names[:MOST_NAMED]) + (" ..." if len(names) > MOST_NAMED else "")
    st.caption(f"For {plain(listed)}. An empty field changes nothing.")
    st.text_input("Note", key=_NOTE, placeholder="after the firmware update")
    st.text_input("Tags", key=_TAGS, placeholder="rack-4, acceptance")
    st.button(
        "Save note and tags",
        key="_annotate",
        icon=":material/check:",
        disabled=(why_not := person.why_not(Role.UPLOADER)) is not None,
        help=why_not,
        on_click=_annotate,
        args=(store, numbers),
    )


def _annotate(store: ActingStore, numbers: list[int]) -> None:
    note = st.session_state.get(_NOTE, "").strip() or None
    tags = [tag.strip() for tag in st.session_state.get(_TAGS, "").split(",") if tag.strip()] or None
    if note is None and tags is None:
        return
    try:
        for number in numbers:
            store.annotate(number, note=note, tags=tags)
    except (StoreError, UnknownRunError, InputError) as problem:
        st.session_state["_problem"] = str(problem)
        return
    st.session_state[_NOTE] = st.session_state[_TAGS] = ""
    st.session_state[_SAVED] = f"Note and tags of {counted(len(numbers), 'run')} saved."
