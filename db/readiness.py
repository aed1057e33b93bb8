"""Whether the database takes and gives rows now: a trial that a full disk or a corrupt file fails."""

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from db import schema


def try_out(connection: Connection) -> None:
    """
    Write a row that says nothing, and read the newest run.

    What fails here, fails an upload too.
    """
    version = sa.table("alembic_version", sa.column("version_num"))
    connection.execute(sa.update(version).values(version_num=version.c.version_num))
    query = sa.select(schema.runs).order_by(schema.runs.c.id.desc()).limit(1)
    connection.execute(query).all()
