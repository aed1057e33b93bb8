"""Deleted runs: hidden at once, restored on request, removed after thirty days."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from db import browsing, schema
from db.errors import unknown_run
from db.records import RunRow
from db.scope import Scope

MOST_LISTED = 200
runs = schema.runs


def listed(connection: Connection, scope: Scope) -> list[RunRow]:
    """Deleted runs, the latest deleted first."""
    query = sa.select(runs.c.id).where(runs.c.deleted_at.is_not(None), scope.of(runs.c.project_id))
    numbers = connection.execute(
        query.order_by(runs.c.deleted_at.desc(), runs.c.id.desc()).limit(MOST_LISTED)
    )
    return browsing.rows(connection, scope, list(numbers.scalars()))


def mark(connection: Connection, scope: Scope, run_id: int, moment: datetime | None) -> bool:
    """Delete a run at a moment, or restore it (None); False where it was so, UnknownRunError of no run."""
    ours = sa.and_(runs.c.id == run_id, scope.of(runs.c.project_id))
    otherwise = runs.c.deleted_at.is_(None) if moment else runs.c.deleted_at.is_not(None)
    if run_id > browsing.MOST_ID:
        raise unknown_run(run_id)
    if connection.execute(runs.update().where(ours, otherwise).values(deleted_at=moment)).rowcount:
        return True
    if connection.execute(sa.select(runs.c.id).where(ours)).first() is None:
        raise unknown_run(run_id)
    return False


def purge(connection: Connection, before: datetime) -> int:
    """Remove runs that were deleted before a moment, with all they measured; how many."""
    return connection.execute(runs.delete().where(runs.c.deleted_at < before)).rowcount
