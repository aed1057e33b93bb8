"""The audit log: who did what, when and on which; written in the transaction of the act, never changed."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from db import schema, settings
from db.tidy import no_formula, printable, text

MOST_SUBJECT = 300
MOST_LISTED = 10_000
SHOWN_NUMBERS = 10
audit = schema.audit


class Action(StrEnum):
    """What is written down."""

    UPLOAD = "upload"
    DELETE_RUN = "delete run"
    RESTORE_RUN = "restore run"
    CHANGE_NOTE = "change note"
    KEEP_JOB = "keep job"
    DELETE_JOB = "delete job"
    RESTORE_JOB = "restore job"
    KEEP_FIT = "keep fit"
    DELETE_FIT = "delete fit"
    SAVE_SCENARIO = "save scenario"
    RENAME_SCENARIO = "rename scenario"
    DELETE_SCENARIO = "delete scenario"
    BRING_BACK = "bring back version"
    KEEP_FILE = "keep file"
    MAKE_TOKEN = "make token"  # noqa: S105 - a verb
    REVOKE_TOKEN = "revoke token"  # noqa: S105 - a verb
    MAKE_PROJECT = "make project"
    CHANGE_PROJECT = "change project"
    DELETE_PROJECT = "delete project"
    SIGN_IN = "sign in"
    SIGN_OUT = "sign out"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Entry:
    """
    One line of the audit log.

    Attributes:
        id: Its number; a later entry has a higher one.
        at: When.
        actor: Who: an e-mail address, ``token``, ``this machine`` or ``server``.
        action: What, a word of ``Action``.
        subject: On which, such as ``run 12`` or ``fit lab``.
        detail: What else there is to say, such as the project.
    """

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    detail: str


def write(connection: Connection, actor: str, action: Action, subject: str, detail: str = "") -> None:
    """Add an entry; those older than WIRESPEED_AUDIT_DAYS go."""
    now = datetime.now(UTC)
    values = {"at": now, "actor": printable(actor)[:MOST_SUBJECT], "action": str(action)}
    values |= {"subject": printable(subject)[:MOST_SUBJECT], "detail": printable(detail)[:MOST_SUBJECT]}
    connection.execute(audit.insert().values(values))
    connection.execute(audit.delete().where(audit.c.at < now - timedelta(days=settings.audit_days())))


def entries(
    connection: Connection,
    *,
    actor: str = "",
    action: str = "",
    subject: str = "",
    since: datetime | None = None,
    limit: int = MOST_LISTED,
) -> list[Entry]:
    """
    Entries, the latest first.

    Args:
        connection: To the database.
        actor: Part of who acted, in any case.
        action: Exactly what was done.
        subject: Part of the subject or detail, in any case.
        since: At this moment or later.
        limit: At most so many.
    """
    query = sa.select(audit).order_by(audit.c.id.desc()).limit(limit)
    if actor:
        query = query.where(audit.c.actor.icontains(text(actor), autoescape=True))
    if action:
        query = query.where(audit.c.action == text(action))
    if subject:
        part = text(subject)
        columns = (audit.c.subject, audit.c.detail)
        query = query.where(sa.or_(*(column.icontains(part, autoescape=True) for column in columns)))
    if since is not None:
        query = query.where(audit.c.at >= since)
    return [Entry(**row) for row in connection.execute(query).mappings()]


def as_csv(listed: Iterable[Entry]) -> str:
    """Entries as CSV with a header; a text that a spreadsheet would take for a formula is quoted."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(field.name for field in fields(Entry))
    for entry in listed:
        texts = (entry.actor, entry.action, entry.subject, entry.detail)
        writer.writerow([entry.id, entry.at.isoformat(), *(no_formula(printable(each)) for each in texts)])
    return file.getvalue()


def runs(numbers: Sequence[int]) -> str:
    """What runs are called in the log: ``run 4``, ``runs 4, 5 and 9`` or the first ten and how many more."""
    distinct = sorted(set(numbers))
    shown = [str(number) for number in distinct[:SHOWN_NUMBERS]]
    if len(distinct) > SHOWN_NUMBERS:
        shown.append(f"{len(distinct) - SHOWN_NUMBERS:,} more, up to {distinct[-1]}")
    if len(shown) == 1:
        return f"run {shown[0]}"
    return f"runs {', '.join(shown[:-1])} and {shown[-1]}"
