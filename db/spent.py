"""Sessions that were signed out of and sign-ins that were used: none counts again, in no process."""

from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from db import schema
from db.saving import insert_once

spent = schema.spent


def spend(connection: Connection, sha256: str, ends_at: datetime) -> bool:
    """
    Note that something counts no more; what would have ended by itself is forgotten.

    Args:
        connection: In a transaction.
        sha256: Of the session, or of what the identity provider's answer repeats.
        ends_at: From when nobody would take it anyway.

    Returns:
        Whether this was the first to note it, of all processes that share the database.
    """
    connection.execute(spent.delete().where(spent.c.ends_at < datetime.now(UTC)))
    values = {"sha256": sha256, "ends_at": ends_at}
    return insert_once(connection, spent, "sha256", values, returning="sha256") is not None


def unended(connection: Connection) -> dict[str, datetime]:
    """What counts no more although its time is not over, and when it is."""
    rows = connection.execute(sa.select(spent).where(spent.c.ends_at >= datetime.now(UTC)))
    return {row.sha256: row.ends_at for row in rows}
