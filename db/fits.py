"""Named fits: constants of the cost model fitted to stored runs, kept under their names."""

from collections.abc import Iterable
from dataclasses import replace as changed
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.checks import InputError
from core.collectives.fitted import Fit, fit_json, fit_of
from core.collectives.fitted.fit_writer import FORMAT_VERSION
from db import schema, versions
from db.errors import UnknownRunError
from db.identity import name_key
from db.saving import insert_once
from db.scope import Scope
from db.tidy import text

_FIRST = (schema.fits.c.project_id.is_(None), schema.fits.c.project_id)
"""Of several fits of one name: the oldest project's first, everyone's last, so that no outsider's counts."""


def keep(
    connection: Connection, scope: Scope, fit: Fit, *, replace: bool, project_id: int | None = None
) -> Fit:
    """
    Keep a fit under its name; what was kept is returned.

    Args:
        connection: In a transaction.
        scope: What may be seen; no two fits in it get one name.
        fit: To keep.
        replace: The fit of that name in that project becomes a former one.
        project_id: The project that it belongs to; None where everyone may see it.

    Raises:
        InputError: The name is taken (here and ``replace`` is False, or elsewhere) or cannot be one, or a
            figure is not possible.
    """
    here = _in_project(connection, fit.name, project_id)
    if here is None and _row(connection, scope, fit.name) is not None:
        message = f"name: another project has a fit {fit.name!r}; choose another name"
        raise InputError(message)
    if here is not None and not replace:
        raise _taken(fit.name)
    return _put(connection, fit, project_id)


def _put(connection: Connection, fit: Fit, project_id: int | None) -> Fit:
    """Keep a fit in a project; the one of its name there becomes a former one."""
    run_ids = tuple(sorted(set(fit.run_ids)))
    body = _storable(fit_json(changed(fit, run_ids=run_ids)))
    checked = changed(fit_of(body), created_at=fit.created_at or datetime.now(UTC))
    former = _in_project(connection, checked.name, project_id)
    if former is not None:
        _end(connection, former, versions.REPLACED)
    values = {
        "key": name_key(checked.name, project_id),
        "name": checked.name,
        "project_id": project_id,
        "model_version": checked.model_version,
        "constants": body["constants"],
        "residuals": body["residuals"],
        "created_at": checked.created_at,
        "created_by": checked.created_by,
        "note": checked.note,
    }
    number = insert_once(connection, schema.fits, "key", values)
    if number is None:
        raise _taken(checked.name)
    if run_ids:
        rows = [{"fit_id": number, "run_sha256": run_id} for run_id in run_ids]
        connection.execute(schema.fit_runs.insert(), rows)
    return checked


def all_fits(connection: Connection, scope: Scope) -> list[Fit]:
    """Every fit that may be seen and that this version can read, by name; of one name the project's alone."""
    query = sa.select(schema.fits).where(scope.of(schema.fits.c.project_id))
    named = {row.name: row for row in reversed(connection.execute(query.order_by(*_FIRST)).all())}
    rows = [named[name] for name in sorted(named)]
    runs: dict[int, list[str]] = {}
    for row in connection.execute(sa.select(schema.fit_runs).order_by(schema.fit_runs.c.run_sha256)):
        runs.setdefault(row.fit_id, []).append(row.run_sha256)
    fits = []
    for row in rows:
        try:
            fits.append(_fit(row, runs.get(row.id, [])))
        except InputError:
            continue
    return fits


def fit_named(connection: Connection, scope: Scope, name: str) -> Fit:
    """
    The fit of that name.

    Raises:
        UnknownRunError: There is none.
        InputError: It was kept by a version whose fits this one cannot read.
    """
    row = _row(connection, scope, name)
    if row is None:
        raise _unknown(name)
    query = sa.select(schema.fit_runs.c.run_sha256).where(schema.fit_runs.c.fit_id == row.id)
    return _fit(row, connection.execute(query.order_by(schema.fit_runs.c.run_sha256)).scalars())


def keepers(connection: Connection, name: str, project_id: int | None) -> list[str | None]:
    """Who keeps the fit of that name in that project; empty where there is none."""
    row = _in_project(connection, name, project_id)
    return [] if row is None else [row.created_by]


def drop(connection: Connection, scope: Scope, name: str) -> None:
    """Delete a fit; it can be brought back. UnknownRunError if there is none of that name."""
    row = _row(connection, scope, name)
    if row is None:
        raise _unknown(name)
    _end(connection, row, versions.DELETED)


def put_back(connection: Connection, scope: Scope, number: int) -> Fit:
    """
    Bring a former fit back under its name; the one that has the name now becomes a former one.

    Raises:
        UnknownRunError: There is no such version, or it is no fit's.
    """
    former = versions.version(connection, scope, number)
    if former.kind != versions.FIT:
        message = f"version {number} is no fit"
        raise UnknownRunError(message)
    return _put(connection, fit_of(former.content), former.project_id)


def _row(connection: Connection, scope: Scope, name: str) -> Any:
    """The fit of that name: that of the oldest project, else everyone's; None if there is none."""
    query = sa.select(schema.fits).where(schema.fits.c.name == text(name), scope.of(schema.fits.c.project_id))
    return connection.execute(query.order_by(*_FIRST).limit(1)).one_or_none()


def _in_project(connection: Connection, name: str, project_id: int | None) -> Any:
    query = sa.select(schema.fits).where(schema.fits.c.key == name_key(text(name), project_id))
    return connection.execute(query).one_or_none()


def _end(connection: Connection, row: Any, reason: str) -> None:
    """Keep a fit as a former version and remove it."""
    query = sa.select(schema.fit_runs.c.run_sha256).where(schema.fit_runs.c.fit_id == row.id)
    body = _body(row, connection.execute(query.order_by(schema.fit_runs.c.run_sha256)).scalars())
    versions.keep(connection, versions.FIT, row.name, body, reason, row.project_id)
    connection.execute(schema.fits.delete().where(schema.fits.c.id == row.id))


def _storable(value: Any) -> Any:
    """JSON values whose texts both engines can hold."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return {key: _storable(item) for key, item in value.items()} if isinstance(value, dict) else value


def _fit(row: Any, run_ids: Iterable[str]) -> Fit:
    return changed(fit_of(_body(row, run_ids)), created_at=row.created_at)


def _body(row: Any, run_ids: Iterable[str]) -> dict[str, Any]:
    return {
        "format_version": FORMAT_VERSION,
        "name": row.name,
        "model_version": row.model_version,
        "constants": row.constants,
        "residuals": row.residuals,
        "run_ids": list(run_ids),
        "note": row.note,
        "created_by": row.created_by,
    }


def _taken(name: str) -> InputError:
    return InputError(f"name: there is a fit {name!r} already; choose another name or replace it")


def _unknown(name: str) -> UnknownRunError:
    return UnknownRunError(f"there is no fit {name!r}")
