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
from db.saving import insert_once
from db.tidy import text


def keep(connection: Connection, fit: Fit, *, replace: bool) -> Fit:
    """
    Keep a fit under its name; what was kept is returned.

    Raises:
        InputError: The name is taken (and ``replace`` is False) or cannot be one, or a figure is not
            possible.
    """
    run_ids = tuple(sorted(set(fit.run_ids)))
    body = _storable(fit_json(changed(fit, run_ids=run_ids)))
    checked = changed(fit_of(body), created_at=fit.created_at or datetime.now(UTC))
    if replace:
        _end(connection, checked.name, versions.REPLACED)
    values = {
        "name": checked.name,
        "model_version": checked.model_version,
        "constants": body["constants"],
        "residuals": body["residuals"],
        "created_at": checked.created_at,
        "created_by": checked.created_by,
        "note": checked.note,
    }
    number = insert_once(connection, schema.fits, "name", values)
    if number is None:
        message = f"name: there is a fit {checked.name!r} already; choose another name or replace it"
        raise InputError(message)
    if run_ids:
        rows = [{"fit_id": number, "run_sha256": run_id} for run_id in run_ids]
        connection.execute(schema.fit_runs.insert(), rows)
    return checked


def all_fits(connection: Connection) -> list[Fit]:
    """Every fit that this version can read, by name."""
    rows = connection.execute(sa.select(schema.fits).order_by(schema.fits.c.name)).all()
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


def fit_named(connection: Connection, name: str) -> Fit:
    """
    The fit of that name.

    Raises:
        UnknownRunError: There is none.
        InputError: It was kept by a version whose fits this one cannot read.
    """
    row = connection.execute(sa.select(schema.fits).where(schema.fits.c.name == name)).one_or_none()
    if row is None:
        raise _unknown(name)
    query = sa.select(schema.fit_runs.c.run_sha256).where(schema.fit_runs.c.fit_id == row.id)
    return _fit(row, connection.execute(query.order_by(schema.fit_runs.c.run_sha256)).scalars())


def drop(connection: Connection, name: str) -> None:
    """Delete a fit; it can be brought back. UnknownRunError if there is none of that name."""
    if not _end(connection, name, versions.DELETED):
        raise _unknown(name)


def put_back(connection: Connection, number: int) -> Fit:
    """
    Bring a former fit back under its name; the one that has the name now becomes a former one.

    Raises:
        UnknownRunError: There is no such version, or it is no fit's.
    """
    former = versions.version(connection, number)
    if former.kind != versions.FIT:
        message = f"version {number} is no fit"
        raise UnknownRunError(message)
    return keep(connection, fit_of(former.content), replace=True)


def _end(connection: Connection, name: str, reason: str) -> bool:
    """Keep the fit of that name as a former version and remove it; False if there is none."""
    rows = connection.execute(sa.select(schema.fits).where(schema.fits.c.name == name)).all()
    for row in rows:
        query = sa.select(schema.fit_runs.c.run_sha256).where(schema.fit_runs.c.fit_id == row.id)
        body = _body(row, connection.execute(query.order_by(schema.fit_runs.c.run_sha256)).scalars())
        versions.keep(connection, versions.FIT, name, body, reason)
    connection.execute(schema.fits.delete().where(schema.fits.c.name == name))
    return bool(rows)


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


def _unknown(name: str) -> UnknownRunError:
    return UnknownRunError(f"there is no fit {name!r}")
