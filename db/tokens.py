"""Tokens that people make for their programs: only a hash of each is kept."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.errors import InputError
from db import schema
from db.errors import UnknownRunError
from db.people import Role
from db.tidy import text

PREFIX = "wsp_"
"""How a token begins, so that scanners for secrets know one."""
RANDOM_BYTES = 32
DEFAULT_DAYS, MOST_DAYS = 90, 365
MOST_NAME, MOST_TOKENS = 60, 100
TOUCH = timedelta(minutes=1)
"""The last use is noted to the minute."""
SCOPES = {"read": Role.VIEWER, "upload": Role.UPLOADER, "admin": Role.ADMIN}
"""The role that a token of each scope gives at most."""
tokens = schema.tokens


@dataclass(frozen=True, slots=True)
class Token:
    """
    A token as it is kept, without its text.

    Attributes:
        id: Its number.
        name: What its owner calls it.
        owner: Who made it and answers for what is done with it.
        scope: ``read``, ``upload`` or ``admin``.
        project: The one project that it is for; None where for all that its owner sees.
        created_at, expires_at: From when and until when it can be used.
        used_at: Its last use, to the minute; None before the first.
        revoked_at, revoked_by: When it was taken back, and by whom; None while it was not.
    """

    id: int
    name: str
    owner: str
    scope: str
    project: str | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str | None

    def works(self, now: datetime) -> bool:
        """Whether it can be used at a moment, as far as it is up to the token."""
        return self.revoked_at is None and now < self.expires_at


@dataclass(frozen=True, slots=True)
class Bearing:
    """
    What a token that was sent stands for.

    Attributes:
        token: The token.
        project_id: The number of its project.
        groups: Groups of its owner at their last sign-in.
    """

    token: Token
    project_id: int | None
    groups: frozenset[str]


def make(
    connection: Connection, *, name: str, owner: str, scope: str, days: int, project_id: int | None
) -> str:
    """
    Make a token; its text is returned once and kept nowhere.

    Raises:
        InputError: Of its name, scope or days, or the owner has too many.
    """
    name = text(name).strip()
    if not (0 < len(name) <= MOST_NAME and name.isprintable()):
        message = f"name: 1 to {MOST_NAME} characters, not {len(name)}"
        raise InputError(message)
    if scope not in SCOPES or not 1 <= days <= MOST_DAYS:
        message = f"scope: {', '.join(SCOPES)}; days: 1 to {MOST_DAYS}"
        raise InputError(message)
    now = datetime.now(UTC)
    working = (tokens.c.owner == owner) & tokens.c.revoked_at.is_(None) & (tokens.c.expires_at > now)
    query = sa.select(sa.func.count()).select_from(tokens).where(working)
    if connection.execute(query).scalar_one() >= MOST_TOKENS:
        message = f"you have {MOST_TOKENS} tokens already: revoke one"
        raise InputError(message)
    made = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    values = {"sha256": _sha256(made), "name": name, "owner": owner, "scope": scope, "created_at": now}
    values |= {"project_id": project_id, "expires_at": now + timedelta(days=days)}
    connection.execute(tokens.insert().values(values))
    return made


def bearing(connection: Connection, sent: str) -> Bearing | None:
    """What the text of a token stands for now; None where it is none, revoked or past its end."""
    if not sent.startswith(PREFIX):
        return None
    people = schema.people
    query = _query().add_columns(tokens.c.project_id, people.c.groups)
    query = query.outerjoin(people, people.c.name == tokens.c.owner)
    row = connection.execute(query.where(tokens.c.sha256 == _sha256(sent))).mappings().one_or_none()
    if row is None:
        return None
    values = dict(row)
    project_id, groups = values.pop("project_id"), frozenset(values.pop("groups") or ())
    token = Token(**values)
    return Bearing(token, project_id, groups) if token.works(datetime.now(UTC)) else None


def touch(connection: Connection, number: int, now: datetime) -> None:
    """Note that a token was used."""
    connection.execute(tokens.update().where(tokens.c.id == number).values(used_at=now))


def listed(connection: Connection, owner: str | None) -> list[Token]:
    """The tokens of an owner, or of everyone (None), the latest first."""
    query = _query().order_by(tokens.c.id.desc())
    if owner is not None:
        query = query.where(tokens.c.owner == owner)
    return [Token(**row) for row in connection.execute(query).mappings()]


def revoke(connection: Connection, number: int, *, by: str, owner: str | None) -> Token:
    """
    Take a token back for good; one of ``owner`` alone where an owner is given.

    Raises:
        UnknownRunError: There is none of that number, or it is another's.
    """
    row = connection.execute(_query().where(tokens.c.id == number)).mappings().one_or_none()
    if row is None or owner not in {None, row["owner"]}:
        message = f"there is no token {number}"
        raise UnknownRunError(message)
    if row["revoked_at"] is None:
        values = {"revoked_at": datetime.now(UTC), "revoked_by": by}
        connection.execute(tokens.update().where(tokens.c.id == number).values(values))
    return Token(**row)


def _query() -> "sa.Select[tuple[object, ...]]":
    shown = (column for column in tokens.columns if column.name not in {"sha256", "project_id"})
    query = sa.select(*shown, schema.projects.c.name.label("project"))
    return query.outerjoin(schema.projects, schema.projects.c.id == tokens.c.project_id)


def _sha256(sent: str) -> str:
    return hashlib.sha256(sent.encode("utf-8", "replace")).hexdigest()
