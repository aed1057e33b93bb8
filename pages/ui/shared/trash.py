"""What was deleted or replaced in the last thirty days, on any page and by anyone: shown, and brought back."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from db.errors import StoreError, UnknownRunError
from db.versions import FIT, KEPT, NOTE, SCENARIO, Version
from pages.ui.shared import person, stored
from pages.ui.shared.kept_jobs import KEY
from pages.ui.shared.messages import plain
from pages.ui.shared.run_names import run_names

DAYS = KEPT.days


def runs(selected: Sequence[str]) -> None:
    """Deleted runs, and former notes and tags of the selected ones; nothing where there are none."""
    try:
        past = stored.store().past
        rows = past.runs()
        deleted = {str(number): name for number, name in run_names(rows).items()}
        notes = [version for number in selected for version in past.versions(NOTE, number)]
    except StoreError as problem:
        stored.outage(problem)
        return
    if deleted:
        with st.expander(f"Trash: deleted in the last {DAYS} days", icon=":material/delete_sweep:"):
            owners = {str(row.id): row.uploaded_by for row in rows}
            _choose("Deleted run", deleted, "Restore", _restore_run, key="_trash_run", owners=owners)
    if notes:
        with st.expander("Former notes and tags", icon=":material/history:"):
            texts = {str(version.id): _note(version) for version in notes}
            _choose("Former note", texts, "Bring back", _bring_back, key="_former_note", owners={})


def jobs() -> None:
    """Deleted jobs; nothing where there are none."""
    try:
        rows = stored.store().jobs.deleted()
    except StoreError as problem:
        stored.outage(problem)
        return
    if not rows:
        return
    texts = {
        str(row.id): plain(f"{row.id}: {row.file}, deleted {row.deleted_at:%d %b %Y, %H:%M} UTC")
        for row in rows
    }
    with st.expander(f"Trash: jobs deleted in the last {DAYS} days", icon=":material/delete_sweep:"):
        owners = {str(row.id): row.uploaded_by for row in rows}
        _choose("Deleted job", texts, "Restore", _restore_job, key="_trash_job", owners=owners)


def fits() -> None:
    """Fits that were deleted or replaced; nothing where there are none."""
    _former(FIT)


def scenarios() -> None:
    """Scenarios that were deleted or replaced; nothing where there are none."""
    _former(SCENARIO)


def _former(kind: str) -> None:
    try:
        former = stored.store().past.versions(kind)
    except StoreError as problem:
        stored.outage(problem)
        return
    if not former:
        return
    texts = {
        str(version.id): f"{version.name}, {version.reason} {version.ended_at:%d %b %Y, %H:%M} UTC"
        for version in former
    }
    title = f"{kind.capitalize()}s deleted or replaced in the last {DAYS} days"
    with st.expander(title, icon=":material/history:"):
        owner = {FIT: "created_by", SCENARIO: "saved_by"}[kind]
        owners = {str(version.id): version.content.get(owner) for version in former}
        _choose(f"Former {kind}", texts, "Bring back", _bring_back, key=f"_former_{kind}", owners=owners)


def _choose(
    label: str,
    texts: dict[str, str],
    action: str,
    click: Callable[[int], None],
    *,
    key: str,
    owners: Mapping[str, str | None],
) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.selectbox(label, list(texts), format_func=lambda item: texts.get(item, item), key=key)
        why_not = person.why_not_own([owners[number]] if number in owners else [])
        st.button(
            action,
            key=f"{key}_back",
            icon=":material/restore:",
            disabled=why_not is not None,
            help=why_not,
            on_click=click,
            args=(int(number or 0),),
        )


def _note(version: Version) -> str:
    content = version.content
    words = [content["note"] or "no note", *content["tags"]]
    return plain(f"run {version.name}, until {version.ended_at:%d %b %Y, %H:%M} UTC: {'; '.join(words)}")


def _restore_run(number: int) -> None:
    try:
        stored.store().past.restore_run(number)
    except (StoreError, UnknownRunError) as problem:
        stored.report(problem)


def _restore_job(number: int) -> None:
    try:
        stored.store().jobs.restore(number)
    except (StoreError, UnknownRunError) as problem:
        stored.report(problem, KEY)


def _bring_back(number: int) -> None:
    try:
        stored.store().past.bring_back(number)
    except (StoreError, UnknownRunError) as problem:
        stored.report(problem)
