"""Whether a database is whole: its file, its references, its schema, and files that are what they were."""

import hashlib
from dataclasses import dataclass

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.engine import Connection, Engine

from core.errors import InputError
from db import job_rows, jobs, migrate, schema
from db.backup import tables
from db.errors import one_line

MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Health:
    """
    What a check saw.

    Attributes:
        revision: The schema; None where there is none.
        counts: Rows of each table.
        problems: What is wrong, a line each; empty where all is well.
    """

    revision: str | None
    counts: dict[str, int]
    problems: tuple[str, ...]


def examine(engine: Engine) -> Health:
    """
    Read the whole database and say what is wrong with it; nothing is changed.

    Raises:
        StoreError: The database cannot be reached.
    """
    with one_line(engine), engine.connect() as connection:
        problems = _file_problems(connection)
        revision = migrate.current(connection)
        if problems:
            return Health(revision, {}, tuple(problems[:MOST_PROBLEMS]))
        counts = {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in tables(connection)
        }
        problems = [*_schema_problems(connection, revision), *_reference_problems(connection)]
        if "files" in counts and revision == migrate.head():
            problems += [*_content_problems(connection), *_job_problems(connection)]
    return Health(revision, counts, tuple(problems[:MOST_PROBLEMS]))


def _file_problems(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    lines = connection.execute(sa.text("PRAGMA integrity_check")).scalars()
    return [f"the file is damaged: {line}" for line in lines if line != "ok"]


def _schema_problems(connection: Connection, revision: str | None) -> list[str]:
    if revision is None:
        return ["there are no tables: python -m db upgrade makes them"]
    if revision != migrate.head():
        known = "python -m db upgrade" if revision in migrate.revisions() else "a newer Wirespeed"
        return [f"the schema is {revision}, this program's {migrate.head()}: {known} is needed"]
    context = MigrationContext.configure(connection)
    differences = compare_metadata(context, schema.METADATA)
    return [f"the schema differs: {difference[0]} {difference[1]}" for difference in differences]


def _reference_problems(connection: Connection) -> list[str]:
    """Rows that belong to a row that is not there; an index that lost entries shows so too."""
    problems = []
    for table in tables(connection):
        for key in table.foreign_keys:
            target = key.column
            orphans = (
                sa.select(sa.func.count())
                .select_from(table.outerjoin(target.table, key.parent == target))
                .where(key.parent.is_not(None), target.is_(None))
            )
            number = connection.execute(orphans).scalar_one()
            if number:
                problems.append(f"{number} rows of {table.name} belong to no row of {target.table.name}")
    return problems


def _content_problems(connection: Connection) -> list[str]:
    query = sa.select(schema.files.c.id, schema.files.c.sha256, schema.files.c.content)
    return [
        f"file {row.id} is not what was uploaded"
        for row in connection.execute(query.execution_options(yield_per=10))
        if hashlib.sha256(row.content).hexdigest() != row.sha256
    ]


def _job_problems(connection: Connection) -> list[str]:
    """Jobs whose collectives and timeline are not what was kept."""
    kept = connection.execute(sa.select(schema.jobs.c.id, schema.jobs.c.sha256)).all()
    changed = (row.id for row in kept if _job_sha256(connection, row.id) != row.sha256)
    return [f"job {number} is not what was kept" for number in changed]


def _job_sha256(connection: Connection, job_id: int) -> str:
    try:
        return job_rows.sha256_of(*jobs.parts(connection, job_id))
    except (InputError, LookupError, TypeError, AttributeError):
        return ""
