"""What has been told about a machine's operation, so that nobody is told twice in a day."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from db import schema

EVERY = timedelta(days=1)
alerts = schema.alerts


def claim(connection: Connection, identity: str, operation: str, now: datetime) -> bool:
    """Whether this process, of all that share the database, is the one to tell it; once in ``EVERY``."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(alerts).values(identity=identity, operation=operation, sent_at=now)
    # a moment ahead of now was written by a clock that was wrong
    is_due = sa.or_(alerts.c.sent_at <= now - EVERY, alerts.c.sent_at > now + EVERY)
    once = statement.on_conflict_do_update(
        index_elements=["identity", "operation"], set_={"sent_at": now}, where=is_due
    )
    return connection.execute(once.returning(alerts.c.sent_at)).first() is not None
