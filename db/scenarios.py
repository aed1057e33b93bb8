"""Questions saved under a name: a page with its inputs, and what it answered then."""

from dataclasses import dataclass
from dataclasses import replace as replace_fields
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.checks import InputError
from db import schema, versions
from db.errors import UnknownRunError
from db.identity import name_key
from db.saving import insert_once
from db.scope import Scope
from db.tidy import text

MOST_NAME, MOST_QUERY = 100, 20_000
scenarios = schema.scenarios
_FIRST = (scenarios.c.project_id.is_(None), scenarios.c.project_id)
"""Of several scenarios of one name: the oldest project's first, everyone's last: no outsider's counts."""


@dataclass(frozen=True, slots=True)
class SavedScenario:
    """
    A question under a name.

    Attributes:
        name: Unique.
        page: Of the application, as in the address.
        query: The inputs, as in the address.
        answer: The headline when it was saved.
        figures: Label and value of its figures then.
        model_version: That answered then.
        saved_at, saved_by: When, and by whom.
        project: The name of the project that it belongs to; None where everyone may see it.
    """

    name: str
    page: str
    query: str
    answer: str = ""
    figures: tuple[tuple[str, str], ...] = ()
    model_version: str = ""
    saved_at: datetime | None = None
    saved_by: str | None = None
    project: str | None = None


def keep(
    connection: Connection,
    scope: Scope,
    scenario: SavedScenario,
    *,
    replace: bool,
    project_id: int | None = None,
) -> SavedScenario:
    """
    Keep a scenario under its name; what it replaces can be brought back.

    Args:
        connection: In a transaction.
        scope: What may be seen; no two scenarios in it get one name.
        scenario: To keep.
        replace: The scenario of that name in that project becomes a former one.
        project_id: The project that it belongs to; None where everyone may see it.

    Raises:
        InputError: The name is empty, too long or taken (here and ``replace`` is False, or elsewhere).
    """
    name = text(scenario.name).strip()
    if not 0 < len(name) <= MOST_NAME or not name.isprintable() or len(scenario.query) > MOST_QUERY:
        message = f"name: 1 to {MOST_NAME} printable characters, not {len(name)}"
        raise InputError(message)
    here = _in_project(connection, name, project_id)
    if here is None and _row(connection, scope, name) is not None:
        message = f"name: another project has a scenario {name!r}; choose another name"
        raise InputError(message)
    if here is not None and not replace:
        message = f"name: there is a scenario {name!r} already; choose another name or replace it"
        raise InputError(message)
    put(connection, scenario, project_id)
    kept = _query(scope).where(scenarios.c.key == name_key(name, project_id))
    return _scenario(connection.execute(kept).one())


def put(connection: Connection, scenario: SavedScenario, project_id: int | None) -> None:
    """Keep a scenario in a project; the one of its name there becomes a former one."""
    name = text(scenario.name).strip()
    former = _in_project(connection, name, project_id)
    if former is not None:
        _end(connection, former, versions.REPLACED)
    values = {
        "key": name_key(name, project_id),
        "name": name,
        "project_id": project_id,
        "saved_by": scenario.saved_by,
        "page": text(scenario.page),
        "query": text(scenario.query),
        "answer": text(scenario.answer),
        "figures": [[text(label), text(value)] for label, value in scenario.figures],
        "model_version": text(scenario.model_version),
        "saved_at": datetime.now(UTC),
    }
    if insert_once(connection, scenarios, "key", values) is None:
        message = f"name: there is a scenario {name!r} already"
        raise InputError(message)


def rename(connection: Connection, scope: Scope, name: str, new: str) -> SavedScenario:
    """Give a scenario another name; InputError where it is taken, UnknownRunError where there is none."""
    row = _known(connection, scope, name)
    scenario = _scenario(row)
    if text(new).strip() == name:
        return scenario
    changed = replace_fields(scenario, name=new)
    renamed = keep(connection, scope, changed, replace=False, project_id=row.project_id)
    connection.execute(scenarios.delete().where(scenarios.c.id == row.id))
    return renamed


def listed(connection: Connection, scope: Scope) -> list[SavedScenario]:
    """Every scenario that may be seen, the latest first; of one name the project's alone."""
    rows = connection.execute(_query(scope).order_by(*_FIRST)).all()
    named_rows = {row.name: row for row in reversed(rows)}
    latest = sorted(named_rows.values(), key=lambda row: (row.saved_at, row.id), reverse=True)
    return [_scenario(row) for row in latest]


def named(connection: Connection, scope: Scope, name: str) -> SavedScenario:
    """The scenario of that name; UnknownRunError if there is none."""
    return _scenario(_known(connection, scope, name))


def keepers(connection: Connection, name: str, project_id: int | None) -> list[str | None]:
    """Who keeps the scenario of that name in that project; empty where there is none."""
    row = _in_project(connection, name, project_id)
    return [] if row is None else [row.saved_by]


def drop(connection: Connection, scope: Scope, name: str) -> None:
    """Delete a scenario; it can be brought back. UnknownRunError if there is none of that name."""
    _end(connection, _known(connection, scope, name), versions.DELETED)


def of_version(content: Any) -> SavedScenario:
    """A scenario as a former version holds it."""
    figures = tuple((label, value) for label, value in content["figures"])
    return SavedScenario(**{**content, "figures": figures})


def _end(connection: Connection, row: Any, reason: str) -> None:
    names = ("name", "page", "query", "answer", "figures", "model_version", "saved_by")
    content = {name: getattr(row, name) for name in names}
    versions.keep(connection, versions.SCENARIO, row.name, content, reason, row.project_id)
    connection.execute(scenarios.delete().where(scenarios.c.id == row.id))


def _query(scope: Scope) -> "sa.Select[Any]":
    query = sa.select(scenarios, schema.projects.c.name.label("project"))
    query = query.outerjoin(schema.projects, schema.projects.c.id == scenarios.c.project_id)
    return query.where(scope.of(scenarios.c.project_id))


def _row(connection: Connection, scope: Scope, name: str) -> Any:
    """The scenario of that name: that of the oldest project, else everyone's; None if there is none."""
    query = _query(scope).where(scenarios.c.name == text(name)).order_by(*_FIRST)
    return connection.execute(query.limit(1)).one_or_none()


def _in_project(connection: Connection, name: str, project_id: int | None) -> Any:
    key = name_key(text(name).strip(), project_id)
    return connection.execute(sa.select(scenarios).where(scenarios.c.key == key)).one_or_none()


def _known(connection: Connection, scope: Scope, name: str) -> Any:
    row = _row(connection, scope, name)
    if row is None:
        message = f"there is no scenario {name!r}"
        raise UnknownRunError(message)
    return row


def _scenario(row: Any) -> SavedScenario:
    return SavedScenario(
        name=row.name,
        page=row.page,
        query=row.query,
        answer=row.answer,
        figures=tuple((label, value) for label, value in row.figures),
        model_version=row.model_version,
        saved_at=row.saved_at,
        saved_by=row.saved_by,
        project=row.project,
    )
