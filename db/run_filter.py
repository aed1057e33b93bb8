"""Which runs to list: by GPU, operation, time, tag and project."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from core.checks import InputError
from db import projects, schema
from db.moments import in_utc
from db.tidy import text

runs, series, machines = schema.runs, schema.series, schema.machines


@dataclass(frozen=True, slots=True)
class RunFilter:
    """
    Which runs to list; None and empty texts leave none out.

    Attributes:
        gpu: Part of a GPU's name, in any case.
        operation: An operation that the run measured.
        since: Uploaded at this moment or later.
        tag: A tag that the run bears.
        project: The project that it belongs to, or ``everyone``.
        deleted: True lists the deleted runs instead.
    """

    gpu: str | None = None
    operation: str | None = None
    since: datetime | None = None
    tag: str | None = None
    project: str | None = None
    deleted: bool = False


def conditions(wanted: RunFilter) -> list[sa.ColumnElement[bool]]:
    """The conditions on a row of ``runs`` under which it is wanted."""
    needed: list[sa.ColumnElement[bool]] = [
        runs.c.deleted_at.is_not(None) if wanted.deleted else runs.c.deleted_at.is_(None)
    ]
    if wanted.gpu:
        needed.append(on_gpu(wanted.gpu))
    operation, tag = text(wanted.operation or ""), text(wanted.tag or "")
    if operation:
        measured = sa.exists().where(series.c.run_id == runs.c.id, series.c.operation == operation)
        needed.append(measured)
    if wanted.since is not None:
        needed.append(runs.c.uploaded_at >= _checked(wanted.since))
    if tag:
        needed.append(sa.exists().where(schema.tags.c.run_id == runs.c.id, schema.tags.c.tag == tag))
    if wanted.project:
        needed.append(projects.condition(runs.c.project_id, wanted.project))
    return needed


def _checked(since: object) -> datetime:
    if not isinstance(since, datetime):
        message = f"since: a datetime, not {since!r:.60}"
        raise InputError(message)
    return in_utc(since)


def on_gpu(part: str) -> sa.ColumnElement[bool]:
    """Whether a run's machine has a GPU with this part in its name, in any case."""
    named = sa.select(machines.c.id).where(machines.c.gpu.icontains(text(part), autoescape=True))
    return runs.c.machine_id.in_(named)
