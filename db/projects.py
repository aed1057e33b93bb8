"""Projects: who belongs to them, and so what each person may see."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.errors import InputError
from db import roles, schema
from db.errors import UnknownRunError
from db.people import Person, Role
from db.saving import insert_once
from db.scope import EVERYTHING, Scope
from db.tidy import text

MOST_NAME, MOST_MEMBERS = 60, 500
EVERYONE = "everyone"
"""What belongs to no project; so no project bears this name."""
RESERVED = (EVERYONE, "all")
"""Words of the filter by project."""
projects, project_members = schema.projects, schema.project_members
BELONGING = (schema.runs, schema.jobs, schema.fits, schema.scenarios)


@dataclass(frozen=True, slots=True)
class Project:
    """
    A project.

    Attributes:
        id: Its number.
        name: Unique.
        members: Entries of ``db.roles``: addresses, domains and groups.
        created_at, created_by: When it was made, and by whom.
    """

    id: int
    name: str
    members: tuple[str, ...]
    created_at: datetime
    created_by: str


def scope(connection: Connection, person: Person | None) -> Scope:
    """What a person may see now: members what their projects hold, admins and the server all."""
    if person is None or (person.role >= Role.ADMIN and person.project is None):
        return EVERYTHING
    if person.role >= Role.ADMIN:
        numbers = frozenset(connection.execute(sa.select(projects.c.id)).scalars())
    else:
        names = roles.entries_for(person.name, person.groups)
        rows = connection.execute(sa.select(project_members).where(project_members.c.member.in_(names)))
        numbers = frozenset(row.project_id for row in rows)
    if person.project is not None:
        return Scope(numbers & {person.project}, everyones=False, project=person.project)
    return Scope(numbers)


def number(connection: Connection, seen: Scope, name: str | None) -> int | None:
    """
    The project of that name, for what is kept in it; None where that is everyone's.

    The project stays while the transaction lasts. No name is the scope's own project.

    Raises:
        UnknownRunError: There is none that this person may see.
    """
    name = text(name or "").strip()
    if not name and seen.project is None:
        return None
    query = sa.select(projects.c.id).where(seen.of(projects.c.id))
    query = query.where(projects.c.name == name if name else projects.c.id == seen.project)
    row: int | None = connection.execute(query.with_for_update(read=True)).scalar_one_or_none()
    if row is None:
        raise _unknown(name)
    return row


def condition(project_id: sa.ColumnElement[int | None], name: str) -> sa.ColumnElement[bool]:
    """Whether a row belongs to the project of that name, or to ``everyone``."""
    if name == EVERYONE:
        return project_id.is_(None)
    return project_id.in_(sa.select(projects.c.id).where(projects.c.name == text(name)))


def detail(name: str | None) -> str:
    """What the audit log says of the project that something was kept in."""
    return f"project {name}" if name else ""


def listed(connection: Connection, seen: Scope) -> list[Project]:
    """The projects that may be seen, by name."""
    rows = connection.execute(
        sa.select(projects).where(seen.of(projects.c.id)).order_by(projects.c.name)
    ).all()
    by_project: dict[int, list[str]] = {}
    for row in connection.execute(sa.select(project_members).order_by(project_members.c.member)):
        by_project.setdefault(row.project_id, []).append(row.member)
    return [
        Project(row.id, row.name, tuple(by_project.get(row.id, ())), row.created_at, row.created_by)
        for row in rows
    ]


def make(connection: Connection, name: str, members: Iterable[str], by: str) -> int:
    """
    Make a project.

    Raises:
        InputError: The name is taken or cannot be one, or a member is no address, domain or group.
    """
    values = {"name": _name(name), "created_at": datetime.now(UTC), "created_by": by}
    made: int | None = insert_once(connection, projects, "name", values)
    if made is None:
        message = f"name: there is a project {values['name']!r} already"
        raise InputError(message)
    _set_members(connection, made, members)
    return made


def change(connection: Connection, name: str, *, new: str | None, members: Iterable[str] | None) -> None:
    """
    Give a project another name or other members; None leaves them as they are.

    Raises:
        InputError: As for ``make``.
        UnknownRunError: There is none of that name.
    """
    project_id = _number(connection, name)
    if new is not None and new.strip() != name:
        taken = connection.execute(sa.select(projects.c.id).where(projects.c.name == _name(new))).first()
        if taken:
            message = f"name: there is a project {new.strip()!r} already"
            raise InputError(message)
        connection.execute(projects.update().where(projects.c.id == project_id).values(name=_name(new)))
    if members is not None:
        connection.execute(project_members.delete().where(project_members.c.project_id == project_id))
        _set_members(connection, project_id, members)


def drop(connection: Connection, name: str) -> list[Any]:
    """
    Delete a project to which nothing belongs, with its tokens and former versions.

    Returns:
        Name and owner of each token that was not revoked before.

    Raises:
        InputError: A run or a job (also a deleted one), a fit or a scenario belongs to it.
        UnknownRunError: There is none of that name.
    """
    project_id = _number(connection, name)
    for table in BELONGING:
        query = sa.select(sa.func.count()).select_from(table).where(table.c.project_id == project_id)
        if belonging := connection.execute(query).scalar_one():
            message = f"{belonging:,} {table.name} belong to {name!r}, deleted ones of 30 days included"
            raise InputError(message)
    connection.execute(schema.versions.delete().where(schema.versions.c.project_id == project_id))
    tokens = schema.tokens
    living = sa.select(tokens.c.name, tokens.c.owner).order_by(tokens.c.id)
    living = living.where(tokens.c.project_id == project_id, tokens.c.revoked_at.is_(None))
    ended = list(connection.execute(living).all())
    connection.execute(projects.delete().where(projects.c.id == project_id))
    return ended


def _set_members(connection: Connection, project_id: int, members: Iterable[str]) -> None:
    kept = sorted(roles.members("members", members))
    if len(kept) > MOST_MEMBERS:
        message = f"members: at most {MOST_MEMBERS}, not {len(kept):,}; name a group or a domain"
        raise InputError(message)
    if kept:
        rows = [{"project_id": project_id, "member": entry} for entry in kept]
        connection.execute(project_members.insert(), rows)


def _name(name: str) -> str:
    name = text(name).strip()
    if not (0 < len(name) <= MOST_NAME and name.isprintable()) or "," in name or name.lower() in RESERVED:
        message = f"name: 1 to {MOST_NAME} characters without a comma, and none of {', '.join(RESERVED)}"
        raise InputError(message)
    return name


def _number(connection: Connection, name: str) -> int:
    query = sa.select(projects.c.id).where(projects.c.name == text(name)).with_for_update()
    row: int | None = connection.execute(query).scalar_one_or_none()
    if row is None:
        raise _unknown(name)
    return row


def _unknown(name: str) -> UnknownRunError:
    return UnknownRunError(f"there is no project {name!r}")
