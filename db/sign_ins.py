"""Who has signed in: their groups and role as they were the last time."""

from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from db import schema
from db.people import Person
from db.saving import insert_once

people = schema.people


@dataclass(frozen=True, slots=True)
class Seen:
    """
    Someone who has signed in.

    Attributes:
        name: The e-mail address.
        groups: As the identity provider claimed them last.
        role: That they had then.
        first_seen_at, seen_at: The first and the last sign-in.
    """

    name: str
    groups: tuple[str, ...]
    role: str
    first_seen_at: datetime
    seen_at: datetime


def note(connection: Connection, person: Person) -> None:
    """Keep the groups and role of someone who signs in now."""
    now = datetime.now(UTC)
    values = {"groups": sorted(person.groups), "role": str(person.role), "seen_at": now}
    new = {"name": person.name, "first_seen_at": now} | values
    if insert_once(connection, people, "name", new, returning="name") is None:
        connection.execute(people.update().where(people.c.name == person.name).values(values))


def listed(connection: Connection) -> list[Seen]:
    """Everyone who has signed in, the latest first."""
    rows = connection.execute(sa.select(people).order_by(people.c.seen_at.desc(), people.c.name)).mappings()
    return [Seen(**{**row, "groups": tuple(row["groups"])}) for row in rows]
