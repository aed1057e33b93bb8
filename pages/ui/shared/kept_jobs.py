"""Kept jobs of the store as pages choose and open them."""

from collections.abc import Mapping

import streamlit as st

from core.errors import InputError
from core.traces.records import Job
from db.errors import StoreError, UnknownRunError
from db.records import JobRow, StoredJob, row_number
from pages.ui.shared import bound, stored

KEY, NONE = "job", "none"
"""Name in the address, and what it holds where no kept job is shown."""
MOST_LISTED = 200
REMEMBERED = 8


def listed() -> dict[str, JobRow]:
    """The newest jobs by number, and the one that a link names where it is older; none where the store is away."""
    try:
        return {str(row.id): row for row in _rows()}
    except StoreError as problem:
        stored.outage(problem)
        return {}


def choose(label: str, rows: Mapping[str, JobRow], none: str) -> JobRow | None:
    """The widget of kept jobs, and the row of the one chosen; ``none`` is what it says without one."""
    names = {number: title(row) for number, row in rows.items()} | {NONE: none}
    number = bound.choice(label, KEY, [NONE, *rows], names=names)
    return None if number == NONE else rows[number]


def title(row: JobRow) -> str:
    """What a kept job is called: number, file, ranks, GPU, and when it was kept."""
    ranks = f"{row.world_size or row.rank_count} ranks"
    about = ", ".join(filter(None, (ranks, row.device_name)))
    return f"{row.id}: {row.file}, {about}, {row.uploaded_at:%d %b %Y}"


def opened(row: JobRow) -> StoredJob:
    """
    A kept job with its collectives.

    Raises:
        InputError: The store cannot give it.
    """
    try:
        return StoredJob(row, _opened(row.id, row.sha256))
    except (UnknownRunError, StoreError) as problem:
        raise InputError(str(problem)) from None


def _rows() -> list[JobRow]:
    jobs = stored.store().jobs
    rows = list(jobs.page(limit=MOST_LISTED).jobs)
    named = row_number(st.query_params.get(KEY, ""))
    if len(rows) == MOST_LISTED and named is not None and all(row.id != named for row in rows):
        try:
            rows += [row for row in [jobs.row(named)] if row.deleted_at is None]
        except UnknownRunError:
            return rows
    return rows


@st.cache_resource(max_entries=REMEMBERED, show_spinner=False)
def _opened(number: int, sha256: str) -> Job:  # noqa: ARG001 - a part of what is remembered
    """A frozen record, so shared without a copy; whoever asks has seen its row."""
    return stored.store().jobs.opened(number).job
