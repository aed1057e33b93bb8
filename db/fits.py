"""Named fits: constants of the cost model fitted to stored runs, kept, exported and imported."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.checks import InputError
from db import schema
from db.errors import UnknownRunError
from db.records import Fit
from db.saving import insert_once
from db.tidy import optional, text

FIT_FORMAT_VERSION = 1
"""History: 1 (2026-11) first version."""
MOST_CHARACTERS = 2_000_000
KEYS = (
    "format_version",
    "name",
    "model_version",
    "constants",
    "residuals",
    "run_ids",
    "created_at",
    "created_by",
    "note",
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def keep(connection: Connection, fit: Fit, *, replace: bool) -> Fit:
    """
    Keep a fit under its name.

    Raises:
        InputError: The name is taken (and ``replace`` is False) or cannot be one, or a value is no JSON.
    """
    checked = _checked(fit)
    if replace:
        connection.execute(schema.fits.delete().where(schema.fits.c.name == checked.name))
    values = {
        "name": checked.name,
        "model_version": checked.model_version,
        "constants": dict(checked.constants),
        "residuals": checked.residuals,
        "created_at": checked.created_at,
        "created_by": checked.created_by,
        "note": checked.note,
    }
    number = insert_once(connection, schema.fits, "name", values)
    if number is None:
        message = f"name: there is a fit {checked.name!r} already; choose another name or replace it"
        raise InputError(message)
    owned = [{"fit_id": number, "run_sha256": one} for one in checked.run_sha256s]
    if owned:
        connection.execute(schema.fit_runs.insert(), owned)
    return checked


def all_fits(connection: Connection) -> list[Fit]:
    """Every fit, by name."""
    found = connection.execute(sa.select(schema.fits).order_by(schema.fits.c.name)).all()
    runs: dict[int, list[str]] = {}
    for row in connection.execute(sa.select(schema.fit_runs).order_by(schema.fit_runs.c.run_sha256)):
        runs.setdefault(row.fit_id, []).append(row.run_sha256)
    return [_fit(row, runs.get(row.id, [])) for row in found]


def one(connection: Connection, name: str) -> Fit:
    """
    The fit of that name.

    Raises:
        UnknownRunError: There is none.
    """
    row = connection.execute(sa.select(schema.fits).where(schema.fits.c.name == name)).one_or_none()
    if row is None:
        raise _unknown(name)
    query = sa.select(schema.fit_runs.c.run_sha256).where(schema.fit_runs.c.fit_id == row.id)
    return _fit(row, connection.execute(query.order_by(schema.fit_runs.c.run_sha256)).scalars())


def drop(connection: Connection, name: str) -> None:
    """Remove a fit; UnknownRunError if there is none of that name."""
    if connection.execute(schema.fits.delete().where(schema.fits.c.name == name)).rowcount == 0:
        raise _unknown(name)


def to_json(fit: Fit) -> str:
    """The fit as a file of its own; ``run_ids`` are the runs' sha256, equal on every server."""
    values = {
        "format_version": FIT_FORMAT_VERSION,
        "name": fit.name,
        "model_version": fit.model_version,
        "constants": dict(fit.constants),
        "residuals": fit.residuals,
        "run_ids": list(fit.run_sha256s),
        "created_at": fit.created_at.isoformat(),
        "created_by": fit.created_by,
        "note": fit.note,
    }
    return json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False)


def from_json(written: str) -> Fit:
    """
    A fit from such a file.

    Raises:
        InputError: It is none; the message names the key.
    """
    if len(written) > MOST_CHARACTERS:
        message = f"fit: at most {MOST_CHARACTERS:,} characters"
        raise InputError(message)
    try:
        body = json.loads(written)
    except (ValueError, RecursionError):
        message = "fit: a JSON object as the export writes it"
        raise InputError(message) from None
    if not isinstance(body, dict) or body.get("format_version") != FIT_FORMAT_VERSION:
        _refuse("format_version", str(FIT_FORMAT_VERSION))
    for key in sorted(set(body) - set(KEYS)):
        _refuse(key[:40], f"unknown; one of {', '.join(KEYS)}")
    return _checked(
        Fit(
            name=body.get("name", ""),
            model_version=body.get("model_version", ""),
            constants=body.get("constants", {}),
            residuals=body.get("residuals"),
            run_sha256s=tuple(_run_ids(body.get("run_ids", []))),
            created_at=_moment(body.get("created_at")),
            created_by=body.get("created_by"),
            note=body.get("note", ""),
        )
    )


def _checked(fit: Fit) -> Fit:
    for name in ("name", "model_version", "note"):
        if not isinstance(getattr(fit, name), str):
            _refuse(name, "a text")
    if not _NAME.fullmatch(fit.name):
        _refuse("name", "letters, digits, space, dot, - and _, at most 64, a letter or digit first")
    if not isinstance(fit.constants, Mapping) or not fit.constants:
        _refuse("constants", "a JSON object with the fitted constants")
    if fit.created_by is not None and not isinstance(fit.created_by, str):
        _refuse("created_by", "a text")
    try:
        values = json.loads(
            json.dumps([dict(fit.constants), fit.residuals], allow_nan=False).replace("\\u0000", "")
        )
    except (TypeError, ValueError):
        _refuse("constants, residuals", "plain JSON values with finite numbers")
    return Fit(
        name=fit.name,
        model_version=text(fit.model_version),
        constants=values[0],
        residuals=values[1],
        run_sha256s=tuple(sorted(set(_run_ids(list(fit.run_sha256s))))),
        created_at=fit.created_at,
        created_by=optional(fit.created_by),
        note=text(fit.note),
    )


def _run_ids(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(
        isinstance(one, str) and _SHA256.fullmatch(one) for one in value
    ):
        _refuse("run_ids", "a list of sha256 names of runs, 64 hex digits each")
    return value


def _moment(value: Any) -> datetime:
    if value is None:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        _refuse("created_at", "a moment such as 2026-11-01T12:00:00+00:00")


def _fit(row: Any, run_sha256s: Iterable[str]) -> Fit:
    return Fit(
        name=row.name,
        model_version=row.model_version,
        constants=row.constants,
        residuals=row.residuals,
        run_sha256s=tuple(run_sha256s),
        created_at=row.created_at,
        created_by=row.created_by,
        note=row.note,
    )


def _refuse(name: str, allowed: str) -> NoReturn:
    message = f"fit.{name}: {allowed}"
    raise InputError(message) from None


def _unknown(name: str) -> UnknownRunError:
    return UnknownRunError(f"there is no fit {name!r}")
