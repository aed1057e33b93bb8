"""Kept jobs on the page Job: chosen from the store, kept from an upload, deleted and restored."""

import streamlit as st

from core.errors import InputError
from core.traces.records import Job
from db.errors import StoreError, UnknownRunError
from db.people import Role
from db.records import JobRow, StoredJob
from pages.ui.shared import changes, kept_jobs, person, projects, stored, trash, undo
from pages.ui.shared.kept_jobs import KEY, NONE
from pages.ui.shared.messages import plain


def choose() -> StoredJob | None:
    """The widget of kept jobs, where there are any, and the one chosen; None where it is the uploaded one."""
    stored.show_problem(KEY)
    rows = kept_jobs.listed()
    if not rows and KEY not in st.query_params:
        return None
    row = kept_jobs.choose("... or a kept job", rows, "The traces uploaded above")
    return None if row is None else kept_jobs.opened(row)


def show_upload() -> None:
    """Show what was just uploaded in place of a kept job; before its widget is drawn."""
    if KEY in st.session_state:
        st.session_state[KEY] = NONE


def offer(job: Job, file: str) -> None:
    """The button that keeps the uploaded job."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        project = projects.choose("_job_project")
        why_not = person.why_not(Role.UPLOADER)
        st.button(
            "Keep this job",
            key="_job_keep",
            icon=":material/save:",
            disabled=why_not is not None,
            help=why_not or "Its collectives and timeline are kept, not the trace; a link then opens it.",
            on_click=_keep,
            args=(job, file, project),
        )


def manage(row: JobRow) -> None:
    """What is known of the kept job that is shown, and the way to the trash."""
    by = f" by {row.uploaded_by}" if row.uploaded_by else ""
    project = f", project {row.project}" if row.project else ""
    note = f" Note: {row.note}" if row.note else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            plain(
                f"Job {row.id}, kept {row.uploaded_at:%d %b %Y, %H:%M} UTC{by}{project}: {row.collective_count:,} "
                f"collectives of {row.file}.{note}"
            ),
            width="content",
        )
        why_not = person.why_not_own([row.uploaded_by])
        st.button(
            "Delete this job",
            key="_job_delete",
            icon=":material/delete:",
            disabled=why_not is not None,
            help=why_not or f"It can be brought back for {trash.DAYS} days.",
            on_click=_delete,
            args=(row.id,),
        )


def _keep(job: Job, file: str, project: str | None) -> None:
    try:
        saved = stored.store().jobs.save(job, file=file, project=project)
    except (InputError, StoreError, UnknownRunError) as problem:
        stored.report(problem, KEY)
        return
    if saved.deleted:
        stored.report(
            InputError(f"job {saved.id} was deleted: who kept it, or an admin, may restore it"), KEY
        )
        return
    changes.forget()
    undo.put({"job_traces": "", KEY: str(saved.id)})


def _delete(number: int) -> None:
    try:
        stored.store().jobs.delete(number)
    except (StoreError, UnknownRunError) as problem:
        stored.report(problem, KEY)
        return
    st.session_state[KEY] = NONE
