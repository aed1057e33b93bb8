"""Uploaded files: kept by their content, named by a short id, deleted when unused for long."""

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.checks import InputError
from db import schema
from db.errors import UnknownRunError
from db.saving import insert_once
from db.tidy import called, text

MOST_BYTES = 2_000_000
ID_DIGITS = 12
UNUSED = timedelta(days=90)
"""A file that nobody has opened for so long is deleted."""
TOUCH = timedelta(days=1)
"""The last use is noted to the day."""
MOST_FILES, MOST_STORED_BYTES = 2_000, 500_000_000
"""Beyond either, those that were used longest ago are deleted."""
KINDS = ("config", "system", "fit", "log")


@dataclass(frozen=True, slots=True)
class StoredFile:
    """
    An uploaded file.

    Attributes:
        id: The first twelve hexadecimal digits of the SHA-256 of its content.
        kind: One of ``KINDS``, as it was last uploaded.
        name: As it was first uploaded.
        content: Its bytes.
        used_at: Its last use, to the day.
    """

    id: str
    kind: str
    name: str
    content: bytes
    used_at: datetime

    @classmethod
    def of_session(cls, content: bytes, *, name: str, kind: str) -> "StoredFile":
        """A file that only a session holds."""
        return cls(file_id(content), kind, called(name), content, datetime.now(UTC))

    @property
    def expires_at(self) -> datetime:
        """When it is deleted unless somebody opens it before."""
        return self.used_at + UNUSED


def file_id(content: bytes) -> str:
    """The id of a file with this content."""
    return hashlib.sha256(content).hexdigest()[:ID_DIGITS]


def keep(
    connection: Connection, content: bytes, *, name: str, kind: str, now: datetime | None = None
) -> StoredFile:
    """
    Keep a file, once however often it is uploaded; files unused for too long, or too many, are deleted.

    Returns:
        The file under the name that this caller gave it.

    Raises:
        InputError: The file is empty or too large, its kind is unknown, its name has control characters, or
            another one has its id.
    """
    if kind not in KINDS or not 0 < len(content) <= MOST_BYTES:
        message = f"file: one of {', '.join(KINDS)} with 1 to {MOST_BYTES:,} bytes, not {len(content):,}"
        raise InputError(message)
    moment = now or datetime.now(UTC)
    files = schema.files
    connection.execute(files.delete().where(files.c.used_at < moment - UNUSED))
    sha256 = hashlib.sha256(content).hexdigest()
    short = file_id(content)
    values = {
        "id": short,
        "sha256": sha256,
        "kind": kind,
        "name": called(name),
        "content": content,
        "created_at": moment,
        "used_at": moment,
    }
    if insert_once(connection, files, "id", values) is None:
        same = (files.c.id == short) & (files.c.sha256 == sha256)
        if connection.execute(files.update().where(same).values(used_at=moment, kind=kind)).rowcount == 0:
            message = f"file: another file has the id {short}; change a byte, such as a space at the end"
            raise InputError(message)
    else:
        _drop_surplus(connection, short)
    return replace(_row(connection, short, moment), name=called(name))


def opened(connection: Connection, short: str, *, now: datetime | None = None) -> StoredFile:
    """
    The file of that id; whoever calls writes its use down with ``touch``.

    Raises:
        UnknownRunError: There is none, or nobody has used it for too long.
    """
    return _row(connection, short, now or datetime.now(UTC))


def touch(connection: Connection, short: str, *, now: datetime | None = None) -> None:
    """Note that a file was used."""
    files = schema.files
    connection.execute(files.update().where(files.c.id == short).values(used_at=now or datetime.now(UTC)))


def _drop_surplus(connection: Connection, newest: str) -> None:
    """Delete what was used longest ago until the others are few and small enough."""
    files = schema.files
    latest = (files.c.used_at.desc(), files.c.created_at.desc(), files.c.id)
    size_bytes = sa.func.length(files.c.content)
    ranked = sa.select(
        files.c.id,
        sa.func.row_number().over(order_by=latest).label("rank"),
        sa.func.sum(size_bytes).over(order_by=latest).label("bytes"),
    ).subquery()
    beyond = (ranked.c.rank > MOST_FILES) | (ranked.c.bytes > MOST_STORED_BYTES)
    surplus = sa.select(ranked.c.id).where(beyond, ranked.c.id != newest)
    connection.execute(files.delete().where(files.c.id.in_(surplus)))


def _row(connection: Connection, short: str, now: datetime) -> StoredFile:
    files = schema.files
    query = sa.select(files.c.id, files.c.kind, files.c.name, files.c.content, files.c.used_at)
    known = (files.c.id == text(short)) & (files.c.used_at >= now - UNUSED)
    row: Any = connection.execute(query.where(known)).one_or_none()
    if row is None:
        message = f"there is no file {short!r}"
        raise UnknownRunError(message)
    return StoredFile(row.id, row.kind, row.name, bytes(row.content), row.used_at)
