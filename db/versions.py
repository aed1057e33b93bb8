"""Former states of notes, fits and scenarios: kept when replaced or deleted, so that they come back."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from db import schema
from db.errors import UnknownRunError
from db.scope import Scope

REPLACED, DELETED = "replaced", "deleted"
NOTE, FIT, SCENARIO = "note", "fit", "scenario"
KEPT = timedelta(days=30)
"""How long what was deleted or replaced can be brought back."""
MOST_LISTED = 200
versions = schema.versions


@dataclass(frozen=True, slots=True)
class Version:
    """
    A former state.

    Attributes:
        id: Its number.
        kind: ``note``, ``fit`` or ``scenario``.
        name: The run's number, or the name of the fit or scenario.
        content: What was kept, as JSON.
        reason: ``replaced`` or ``deleted``.
        ended_at: When it was.
        project_id: The project that it belongs to; None where it is everyone's.
    """

    id: int
    kind: str
    name: str
    content: Any
    reason: str
    ended_at: datetime
    project_id: int | None = None

    @property
    def expires_at(self) -> datetime:
        """Until when it can be brought back."""
        return self.ended_at + KEPT


def keep(
    connection: Connection, kind: str, name: str, content: Any, reason: str, project_id: int | None
) -> None:
    """Keep a state that ends now; those that ended too long ago go."""
    now = datetime.now(UTC)
    connection.execute(versions.delete().where(versions.c.ended_at < now - KEPT))
    values = {"kind": kind, "name": name, "content": content, "reason": reason, "ended_at": now}
    values["project_id"] = project_id
    connection.execute(versions.insert().values(values))


def listed(connection: Connection, scope: Scope, kind: str, name: str | None = None) -> list[Version]:
    """Former states that can still be brought back, the latest first; of one name where given."""
    query = sa.select(versions).where(versions.c.kind == kind, versions.c.ended_at >= _oldest())
    query = query.where(scope.of(versions.c.project_id))
    if name is not None:
        query = query.where(versions.c.name == name)
    rows = connection.execute(query.order_by(versions.c.id.desc()).limit(MOST_LISTED))
    return [Version(**row) for row in rows.mappings()]


def version(connection: Connection, scope: Scope, number: int) -> Version:
    """
    A former state by its number.

    Raises:
        UnknownRunError: There is none that may be seen, or it ended too long ago.
    """
    query = sa.select(versions).where(versions.c.id == number, versions.c.ended_at >= _oldest())
    query = query.where(scope.of(versions.c.project_id))
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        message = f"there is no former version {number}"
        raise UnknownRunError(message)
    return Version(**row)


def _oldest() -> datetime:
    return datetime.now(UTC) - KEPT
