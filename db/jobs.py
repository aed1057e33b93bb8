"""Traced jobs: kept once in a project, listed, opened, deleted and brought back."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.checks import count
from db import bulk, job_rows, projects, schema
from db.actor import owns
from db.browsing import MOST_ID, position
from db.errors import unknown_job
from db.identity import run_key
from db.people import Person
from db.records import JobPage, JobRow, Saved, StoredJob
from db.saving import insert_once
from db.scope import Scope
from db.tidy import called, text

MOST_A_PAGE, MOST_LISTED = 500, 200
jobs, collectives = schema.jobs, schema.job_collectives


_COLUMNS = tuple(jobs.c[field.name] for field in fields(JobRow) if field.name in jobs.c)


def save(
    connection: Connection,
    content: job_rows.JobContent,
    *,
    file: str,
    note: str,
    uploaded_by: str | None,
    project_id: int | None,
    person: Person | None,
) -> Saved:
    """Keep a job once in a project; a deleted one comes back where the person may restore it."""
    key = run_key(content.sha256, project_id)
    about = {
        "key": key,
        "sha256": content.sha256,
        "file": called(file),
        "note": text(note).strip(),
        "uploaded_by": uploaded_by,
        "uploaded_at": datetime.now(UTC),
        "project_id": project_id,
    }
    made: int | None = insert_once(connection, jobs, "key", content.values | about)
    if made is None:
        return _known(connection, key, person)
    names = ("job_id", "position", "rank", *job_rows.COLUMNS.values())
    rows = ((made, index, *row) for index, row in enumerate(content.rows))
    bulk.insert_rows(connection, collectives, names, rows)
    return Saved(made, new=True)


def _known(connection: Connection, key: str, person: Person | None) -> Saved:
    query = sa.select(jobs.c.id, jobs.c.deleted_at, jobs.c.uploaded_by).where(jobs.c.key == key)
    row = connection.execute(query).one()
    hidden = row.deleted_at is not None
    own = person is None or owns(person, row.uploaded_by)
    if hidden and own:
        connection.execute(jobs.update().where(jobs.c.id == row.id).values(deleted_at=None))
    return Saved(row.id, new=False, restored=hidden and own, deleted=hidden and not own)


def page(
    connection: Connection, scope: Scope, *, cursor: str | None, limit: int, project: str | None
) -> JobPage:
    """Jobs, newest first; of one project, or of ``everyone``, where it is named."""
    count("limit", limit, least=1, most=MOST_A_PAGE)
    query = _query(scope).where(jobs.c.deleted_at.is_(None))
    if project is not None:
        query = query.where(projects.condition(jobs.c.project_id, project))
    if cursor:
        query = query.where(jobs.c.id < position(cursor))
    rows = _rows(connection, query.order_by(jobs.c.id.desc()).limit(limit + 1))
    return JobPage(tuple(rows[:limit]), str(rows[limit - 1].id) if len(rows) > limit else None)


def deleted(connection: Connection, scope: Scope) -> list[JobRow]:
    """Deleted jobs, the latest deleted first."""
    query = _query(scope).where(jobs.c.deleted_at.is_not(None))
    return _rows(connection, query.order_by(jobs.c.deleted_at.desc(), jobs.c.id.desc()).limit(MOST_LISTED))


def row(connection: Connection, scope: Scope, job_id: int) -> JobRow:
    """What is known of a job, deleted or not; UnknownRunError if there is none of that number."""
    rows = _rows(connection, _query(scope).where(jobs.c.id == job_id)) if 0 < job_id <= MOST_ID else []
    if not rows:
        raise unknown_job(job_id)
    return rows[0]


def stored_job(connection: Connection, scope: Scope, job_id: int) -> StoredJob:
    """
    A job with its collectives, deleted or not.

    Raises:
        UnknownRunError: There is none of that number that may be seen.
        InputError: What is stored of it is damaged.
    """
    known = row(connection, scope, job_id)
    return StoredJob(known, job_rows.job_of(*parts(connection, job_id)))


def parts(connection: Connection, job_id: int) -> tuple[dict[str, Any], bytes, Sequence[job_rows.Row]]:
    """What the tables hold of a job, as ``job_rows`` takes it."""
    selected = connection.execute(sa.select(jobs).where(jobs.c.id == job_id)).mappings().one()
    names = ("rank", *job_rows.COLUMNS.values())
    query = sa.select(*(collectives.c[name] for name in names)).where(collectives.c.job_id == job_id)
    rows = connection.execute(query.order_by(collectives.c.position)).all()
    values = {name: selected[name] for name in job_rows.OF_JOB}
    return values, bytes(selected["rest"]), [tuple(each) for each in rows]


def mark(connection: Connection, scope: Scope, job_id: int, moment: datetime | None) -> bool:
    """Delete a job at a moment, or restore it (None); False where it was so, UnknownRunError of no job."""
    ours = sa.and_(jobs.c.id == job_id, scope.of(jobs.c.project_id))
    otherwise = jobs.c.deleted_at.is_(None) if moment else jobs.c.deleted_at.is_not(None)
    if not 0 < job_id <= MOST_ID:
        raise unknown_job(job_id)
    if connection.execute(jobs.update().where(ours, otherwise).values(deleted_at=moment)).rowcount:
        return True
    if connection.execute(sa.select(jobs.c.id).where(ours)).first() is None:
        raise unknown_job(job_id)
    return False


def purge(connection: Connection, before: datetime) -> None:
    """Remove jobs that were deleted before a moment, with their collectives."""
    connection.execute(jobs.delete().where(jobs.c.deleted_at < before))


def _query(scope: Scope) -> "sa.Select[Any]":
    query = sa.select(*_COLUMNS, schema.projects.c.name.label("project"))
    query = query.outerjoin(schema.projects, schema.projects.c.id == jobs.c.project_id)
    return query.where(scope.of(jobs.c.project_id))


def _rows(connection: Connection, query: "sa.Select[Any]") -> list[JobRow]:
    return [JobRow(**row) for row in connection.execute(query).mappings()]
