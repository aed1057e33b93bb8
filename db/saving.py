"""Puts runs into the tables, each once, however many uploads arrive together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from core.measurement import GpuCount, Machine, Matrix, Notice, Run, Sample
from db import schema
from db.errors import UnknownRunError
from db.identity import comparable, fingerprint, identity, run_sha256
from db.records import Saved
from db.tidy import measured, text, tidy

MEASURED = tuple(
    column.name for column in schema.samples.columns if column.name not in {"series_id", "position"}
)
"""What a sample itself holds; its operation, placement and detail name its series."""


def save(
    connection: Connection,
    runs: Sequence[Run],
    *,
    raw_sha256: str | None,
    tags: Iterable[str],
    note: str,
    uploaded_by: str | None,
) -> list[Saved]:
    """
    All runs of an upload that measured something, in the order given; none is written twice.

    Rows are written in the order of their hashes, so that two uploads with the same
    runs wait for each other instead of locking each other out.
    """
    tidied = [tidy(run) for run in measured(runs)]
    names = [run_sha256(run) for run in tidied]
    machine_ids = _machines(connection, [run.machine for run in tidied])
    labels = sorted({text(tag).strip() for tag in tags} - {""})
    about = {
        "raw_sha256": raw_sha256,
        "note": text(note).strip(),
        "uploaded_by": uploaded_by,
        "uploaded_at": datetime.now(UTC),
    }
    saved: dict[str, Saved] = {}
    for name, run in sorted(zip(names, tidied, strict=True), key=lambda pair: pair[0]):
        if name not in saved:
            machine_id = machine_ids[fingerprint(run.machine)]
            saved[name] = _run(connection, name, run, machine_id, about)
            _tags(connection, saved[name].id, labels)
    return [saved[name] for name in names]


def insert_once(connection: Connection, table: sa.Table, key: str, values: dict[str, Any]) -> int | None:
    """The number of the new row, or None when ``key`` is taken (also by a rival just now)."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = (
        insert(table).values(values).on_conflict_do_nothing(index_elements=[key]).returning(table.c.id)
    )
    number: int | None = connection.execute(statement).scalar_one_or_none()
    return number


def _machines(connection: Connection, machines: list[Machine]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for name, machine in sorted({fingerprint(machine): machine for machine in machines}.items()):
        values = {"fingerprint": name, **comparable(machine)}
        number = insert_once(connection, schema.machines, "fingerprint", values)
        if number is None:
            query = sa.select(schema.machines.c.id).where(schema.machines.c.fingerprint == name)
            number = connection.execute(query).scalar_one()
        ids[name] = number
    return ids


def _run(connection: Connection, sha256: str, run: Run, machine_id: int, about: dict[str, Any]) -> Saved:
    values = {
        "sha256": sha256,
        "machine_id": machine_id,
        "identity": identity(run.machine),
        "file": run.file,
        "format": run.format,
        "collective": run.collective,
        "ranks": run.ranks,
        "collective_guess": run.collective_guess,
        "ranks_guess": run.ranks_guess,
        "dtype": run.dtype,
        "origin": run.origin,
        "tool_version": run.tool_version,
        "started_at": run.started_at,
        "measured_at": measured_at(run.started_at) or about["uploaded_at"],
        "hosts": list(run.machine.hosts),
        "env": dict(run.machine.env),
        **about,
    }
    number = insert_once(connection, schema.runs, "sha256", values)
    if number is None:
        return _known(connection, sha256)
    _samples(connection, number, run)
    _insert(connection, schema.run_gpus, number, [_fields(gpu) for gpu in run.machine.gpus])
    _insert(connection, schema.matrices, number, [_fields(matrix) for matrix in run.matrices])
    _insert(connection, schema.warnings, number, [_fields(notice) for notice in run.warnings])
    return Saved(number, new=True)


def _known(connection: Connection, sha256: str) -> Saved:
    runs = schema.runs
    row = connection.execute(sa.select(runs.c.id, runs.c.deleted_at).where(runs.c.sha256 == sha256)).one()
    if row.deleted_at is None:
        return Saved(row.id, new=False)
    connection.execute(runs.update().where(runs.c.id == row.id).values(deleted_at=None))
    return Saved(row.id, new=False, restored=True)


def _samples(connection: Connection, run_id: int, run: Run) -> None:
    by_series: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for position, sample in enumerate(run.samples):
        key = (sample.operation or "", sample.placement or "", sample.detail or "")
        by_series[key].append(position)
    for (operation, placement, detail), positions in by_series.items():
        values = {"run_id": run_id, "operation": operation, "placement": placement, "detail": detail}
        values["dtype"] = run.dtype or ""
        statement = schema.series.insert().values(values).returning(schema.series.c.id)
        number = connection.execute(statement).scalar_one()
        _sample_rows(connection, number, [(at, run.samples[at]) for at in positions])


def _sample_rows(connection: Connection, series_id: int, rows: list[tuple[int, Sample]]) -> None:
    if connection.dialect.name == "postgresql":
        # COPY: rows one by one take PostgreSQL ten times as long
        names = ", ".join(("series_id", "position", *MEASURED))
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(f"COPY samples ({names}) FROM STDIN") as copy:
            for position, sample in rows:
                copy.write_row((series_id, position, *(getattr(sample, name) for name in MEASURED)))
        return
    owned = {"series_id": series_id}
    values = [owned | {"position": position} | _fields(sample, MEASURED) for position, sample in rows]
    connection.execute(schema.samples.insert(), values)


def _insert(connection: Connection, table: sa.Table, run_id: int, items: list[dict[str, Any]]) -> None:
    rows = [{"run_id": run_id, "position": position} | item for position, item in enumerate(items)]
    if rows:
        connection.execute(table.insert(), rows)


def _fields(item: GpuCount | Matrix | Notice | Sample, names: Iterable[str] = ()) -> dict[str, Any]:
    return {name: getattr(item, name) for name in names or item.__dataclass_fields__}


def _tags(connection: Connection, run_id: int, labels: list[str]) -> None:
    have = set(
        connection.execute(sa.select(schema.tags.c.tag).where(schema.tags.c.run_id == run_id)).scalars()
    )
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    for label in labels:
        if label not in have:
            values = {"run_id": run_id, "tag": label}
            connection.execute(insert(schema.tags).values(values).on_conflict_do_nothing())


def measured_at(started_at: str | None) -> datetime | None:
    """The start a tool printed, where it is an ISO date; without a zone it is taken as UTC."""
    if started_at is None:
        return None
    try:
        moment = datetime.fromisoformat(started_at.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def annotate(connection: Connection, run_id: int, *, note: str | None, tags: Iterable[str] | None) -> None:
    """
    Replace a run's note or tags; None leaves them as they are.

    Raises:
        UnknownRunError: There is no run of that number.
    """
    runs = schema.runs
    values: dict[str, Any] = {"id": run_id} if note is None else {"note": text(note).strip()}
    if connection.execute(runs.update().where(runs.c.id == run_id).values(values)).rowcount == 0:
        message = f"there is no run {run_id}"
        raise UnknownRunError(message)
    if tags is not None:
        connection.execute(schema.tags.delete().where(schema.tags.c.run_id == run_id))
        _tags(connection, run_id, sorted({text(tag).strip() for tag in tags} - {""}))
