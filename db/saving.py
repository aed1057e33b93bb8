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
from db.errors import unknown_run
from db.identity import comparable, fingerprint, identity, run_sha256
from db.moments import parse_moment
from db.records import Saved
from db.tidy import measured, text, tidy
from db.tidy import tags as tidy_tags


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
    labels = tidy_tags(tags)
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
    row_id: int | None = connection.execute(statement).scalar_one_or_none()
    return row_id


def _machines(connection: Connection, machines: list[Machine]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for name, machine in sorted({fingerprint(machine): machine for machine in machines}.items()):
        values = {"fingerprint": name, **comparable(machine)}
        machine_id = insert_once(connection, schema.machines, "fingerprint", values)
        if machine_id is None:
            query = sa.select(schema.machines.c.id).where(schema.machines.c.fingerprint == name)
            machine_id = connection.execute(query).scalar_one()
        ids[name] = machine_id
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
        "measured_at": parse_moment(run.started_at or "") or about["uploaded_at"],
        "hosts": list(run.machine.hosts),
        "env": dict(run.machine.env),
        **about,
    }
    run_id = insert_once(connection, schema.runs, "sha256", values)
    if run_id is None:
        return _known(connection, sha256)
    _samples(connection, run_id, run)
    _insert(connection, schema.run_gpus, run_id, [_fields(gpu) for gpu in run.machine.gpus])
    _insert(connection, schema.matrices, run_id, [_fields(matrix) for matrix in run.matrices])
    _insert(connection, schema.warnings, run_id, [_fields(notice) for notice in run.warnings])
    return Saved(run_id, new=True)


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
        series_id = connection.execute(statement).scalar_one()
        rows = [(position, run.samples[position]) for position in positions]
        _sample_rows(connection, series_id, rows)


def _sample_rows(connection: Connection, series_id: int, rows: list[tuple[int, Sample]]) -> None:
    if connection.dialect.name == "postgresql":
        # COPY: rows one by one take PostgreSQL ten times as long
        names = ", ".join(("series_id", "position", *schema.SAMPLE_VALUES))
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(f"COPY samples ({names}) FROM STDIN") as copy:
            for position, sample in rows:
                copy.write_row(
                    (series_id, position, *(getattr(sample, name) for name in schema.SAMPLE_VALUES))
                )
        return
    owned = {"series_id": series_id}
    values = [
        owned | {"position": position} | _fields(sample, schema.SAMPLE_VALUES) for position, sample in rows
    ]
    connection.execute(schema.samples.insert(), values)


def _insert(connection: Connection, table: sa.Table, run_id: int, parts: list[dict[str, Any]]) -> None:
    """Rows of a table that belong to a run, numbered in their order."""
    rows = [{"run_id": run_id, "position": position} | part for position, part in enumerate(parts)]
    if rows:
        connection.execute(table.insert(), rows)


def _fields(part: GpuCount | Matrix | Notice | Sample, names: Iterable[str] = ()) -> dict[str, Any]:
    return {name: getattr(part, name) for name in names or part.__dataclass_fields__}


def _tags(connection: Connection, run_id: int, labels: list[str]) -> None:
    existing = set(
        connection.execute(sa.select(schema.tags.c.tag).where(schema.tags.c.run_id == run_id)).scalars()
    )
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    for label in labels:
        if label not in existing:
            values = {"run_id": run_id, "tag": label}
            connection.execute(insert(schema.tags).values(values).on_conflict_do_nothing())


def annotate(connection: Connection, run_id: int, *, note: str | None, tags: Iterable[str] | None) -> None:
    """
    Replace a run's note or tags; None leaves them as they are.

    Raises:
        UnknownRunError: There is no run of that number.
    """
    runs = schema.runs
    values: dict[str, Any] = {"id": run_id} if note is None else {"note": text(note).strip()}
    if connection.execute(runs.update().where(runs.c.id == run_id).values(values)).rowcount == 0:
        raise unknown_run(run_id)
    if tags is not None:
        connection.execute(schema.tags.delete().where(schema.tags.c.run_id == run_id))
        _tags(connection, run_id, tidy_tags(tags))
