"""Questions saved under a name: a page with its inputs, and what it answered then."""

from dataclasses import asdict, dataclass
from dataclasses import replace as replace_fields
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.checks import InputError
from db import schema, versions
from db.errors import UnknownRunError
from db.saving import insert_once
from db.tidy import text

MOST_NAME, MOST_QUERY = 100, 20_000
scenarios = schema.scenarios


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
    """

    name: str
    page: str
    query: str
    answer: str = ""
    figures: tuple[tuple[str, str], ...] = ()
    model_version: str = ""
    saved_at: datetime | None = None


def keep(connection: Connection, scenario: SavedScenario, *, replace: bool) -> SavedScenario:
    """
    Keep a scenario under its name; what it replaces can be brought back.

    Raises:
        InputError: The name is empty, too long or taken (and ``replace`` is False).
    """
    name = text(scenario.name).strip()
    if not 0 < len(name) <= MOST_NAME or len(scenario.query) > MOST_QUERY:
        message = f"name: 1 to {MOST_NAME} characters, not {len(name)}"
        raise InputError(message)
    former = _row(connection, name)
    if former is not None and not replace:
        message = f"name: there is a scenario {name!r} already; choose another name or replace it"
        raise InputError(message)
    if former is not None:
        _end(connection, former, versions.REPLACED)
    values = {
        "name": name,
        "page": text(scenario.page),
        "query": text(scenario.query),
        "answer": text(scenario.answer),
        "figures": [[text(label), text(value)] for label, value in scenario.figures],
        "model_version": text(scenario.model_version),
        "saved_at": datetime.now(UTC),
    }
    if insert_once(connection, scenarios, "name", values) is None:
        message = f"name: there is a scenario {name!r} already"
        raise InputError(message)
    return named(connection, name)


def rename(connection: Connection, name: str, new: str) -> SavedScenario:
    """Give a scenario another name; InputError where it is taken, UnknownRunError where there is none."""
    scenario = named(connection, name)
    if text(new).strip() == name:
        return scenario
    renamed = keep(connection, replace_fields(scenario, name=new), replace=False)
    connection.execute(scenarios.delete().where(scenarios.c.name == name))
    return renamed


def listed(connection: Connection) -> list[SavedScenario]:
    """Every scenario, the latest first."""
    rows = connection.execute(
        sa.select(scenarios).order_by(scenarios.c.saved_at.desc(), scenarios.c.id.desc())
    )
    return [_scenario(row) for row in rows.mappings()]


def named(connection: Connection, name: str) -> SavedScenario:
    """The scenario of that name; UnknownRunError if there is none."""
    scenario = _row(connection, name)
    if scenario is None:
        message = f"there is no scenario {name!r}"
        raise UnknownRunError(message)
    return scenario


def drop(connection: Connection, name: str) -> None:
    """Delete a scenario; it can be brought back. UnknownRunError if there is none of that name."""
    _end(connection, named(connection, name), versions.DELETED)


def of_version(content: Any) -> SavedScenario:
    """A scenario as a former version holds it."""
    return _scenario({**content, "saved_at": None})


def _end(connection: Connection, scenario: SavedScenario, reason: str) -> None:
    content = asdict(scenario)
    del content["saved_at"]
    versions.keep(connection, versions.SCENARIO, scenario.name, content, reason)
    connection.execute(scenarios.delete().where(scenarios.c.name == scenario.name))


def _row(connection: Connection, name: str) -> SavedScenario | None:
    query = sa.select(scenarios).where(scenarios.c.name == text(name))
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else _scenario(row)


def _scenario(row: Any) -> SavedScenario:
    return SavedScenario(
        name=row["name"],
        page=row["page"],
        query=row["query"],
        answer=row["answer"],
        figures=tuple((label, value) for label, value in row["figures"]),
        model_version=row["model_version"],
        saved_at=row["saved_at"],
    )
