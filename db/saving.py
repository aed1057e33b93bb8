"""Puts runs into the tables, each once, however many uploads arrive together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from core.measurement import Machine, Run
from db import bulk, schema, versions
from db.actor import owns
from db.errors import unknown_run
from db.identity import comparable, fingerprint, identity, run_key, run_sha256
from db.moments import parse_moment
from db.people import Person
from db.records import Saved
from db.scope import Scope
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
    project_id: int | None = None,
    person: Person | None = None,
) -> list[Saved]:
    """
    All runs of an upload that measured something, in the order given; none is written twice in a project.

    Rows are written in the order of their keys, so that two uploads with the same
    runs wait for each other instead of locking each other out. A deleted run comes back where the person
    may restore it (None: the server, which may).
    """
    tidied = [tidy(run) for run in measured(runs)]
    contents = [run_sha256(run) for run in tidied]
    names = [run_key(content, project_id) for content in contents]
    labels = tidy_tags(tags)
    about = {
        "raw_sha256": raw_sha256,
        "note": text(note).strip(),
        "uploaded_by": uploaded_by,
        "uploaded_at": datetime.now(UTC),
        "project_id": project_id,
    }
    by_name = dict(sorted(zip(names, tidied, strict=True), key=lambda pair: pair[0]))
    rows = _rows(connection, by_name, dict(zip(names, contents, strict=True)), about)
    new = bulk.insert_new(connection, schema.runs, "key", rows)
    bulk.insert_contents(connection, {new[name]: run for name, run in by_name.items() if name in new})
    known = _known(connection, [name for name in by_name if name not in new], person)
    own = {item.id: by_name[name] for name, item in known.items() if item.own}
    observed = _observe(connection, own)
    _tags(connection, list(new.values()), labels)
    tagged = _tags(connection, [item.id for item in known.values() if not item.deleted], labels)
    saved = {name: Saved(row_id, new=True) for name, row_id in new.items()}
    saved |= {
        name: replace(item, tagged=item.id in tagged, observed=item.id in observed)
        for name, item in known.items()
    }
    return [saved[name] for name in names]


def _rows(
    connection: Connection, runs: Mapping[str, Run], contents: Mapping[str, str], about: dict[str, Any]
) -> list[dict[str, Any]]:
    """What is written of runs by their keys, their machines kept before them."""
    machine_ids = _machines(connection, [run.machine for run in runs.values()])
    return [
        {
            "key": name,
            "sha256": contents[name],
            "machine_id": machine_ids[fingerprint(run.machine)],
            **_columns(run, about),
        }
        for name, run in runs.items()
    ]


def _observe(connection: Connection, runs: Mapping[int, Run]) -> set[int]:
    """Keep what the lines of a log say of runs that were there without any; which of them gained lines."""
    kept, number = schema.observations.c.run_id, schema.runs.c.id
    observed: set[int] = set()
    for some in bulk.pieces(sorted(run_id for run_id, run in runs.items() if run.observations)):
        # one upload after the other: a rival's lines are seen, not mixed with ours
        rows = sa.select(number).where(number.in_(some)).order_by(number).with_for_update(key_share=True)
        connection.execute(rows).all()
        there = set(connection.execute(sa.select(kept).where(kept.in_(some)).distinct()).scalars())
        bulk.insert_observations(connection, {run_id: runs[run_id] for run_id in some if run_id not in there})
        observed |= set(some) - there
    return observed


def insert_once(
    connection: Connection, table: sa.Table, key: str, values: dict[str, Any], returning: str = "id"
) -> Any:
    """The number of the new row, or None when ``key`` is taken (also by a rival just now)."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = (
        insert(table)
        .values(values)
        .on_conflict_do_nothing(index_elements=[key])
        .returning(table.c[returning])
    )
    return connection.execute(statement).scalar_one_or_none()


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


def _columns(run: Run, about: dict[str, Any]) -> dict[str, Any]:
    """What is written of a run but its measurements."""
    return {
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
        # a date of the future would stand before every later run of the machine
        "measured_at": min(parse_moment(run.started_at or "") or about["uploaded_at"], about["uploaded_at"]),
        "hosts": list(run.machine.hosts),
        "env": dict(run.machine.env),
        **about,
    }


def _known(connection: Connection, names: Sequence[str], person: Person | None) -> dict[str, Saved]:
    """Runs that were there already; a deleted one comes back to who keeps it, an admin and the server."""
    runs = schema.runs
    known: dict[str, Saved] = {}
    for some in bulk.pieces(names):
        query = sa.select(runs.c.id, runs.c.key, runs.c.deleted_at, runs.c.uploaded_by).where(
            runs.c.key.in_(some)
        )
        for row in connection.execute(query):
            hidden = row.deleted_at is not None
            own = person is None or owns(person, row.uploaded_by)
            known[row.key] = Saved(
                row.id, new=False, own=own, restored=hidden and own, deleted=hidden and not own
            )
    for deleted in bulk.pieces([item.id for item in known.values() if item.restored]):
        connection.execute(runs.update().where(runs.c.id.in_(deleted)).values(deleted_at=None))
    return known


def _tags(connection: Connection, run_ids: Sequence[int], labels: Sequence[str]) -> set[int]:
    """Add tags to runs; which of them did not have them all."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    rows = [{"run_id": run_id, "tag": label} for run_id in run_ids for label in labels]
    if not rows:
        return set()
    statement = insert(schema.tags).on_conflict_do_nothing().returning(schema.tags.c.run_id)
    return set(connection.execute(statement, rows).scalars())


def annotate(
    connection: Connection,
    scope: Scope,
    run_id: int,
    *,
    note: str | None,
    tags: Iterable[str] | None,
) -> bool:
    """
    Replace a run's note or tags; None leaves them as they are. The former ones can be brought back.

    Returns:
        False where both are what they were.

    Raises:
        UnknownRunError: There is no run of that number.
    """
    runs = schema.runs
    query = sa.select(runs.c.note, runs.c.project_id).where(runs.c.id == run_id, scope.of(runs.c.project_id))
    former = connection.execute(query).one_or_none()
    if former is None:
        raise unknown_run(run_id)
    query = sa.select(schema.tags.c.tag).where(schema.tags.c.run_id == run_id).order_by(schema.tags.c.tag)
    before = {"note": former.note, "tags": list(connection.execute(query).scalars())}
    after = {
        "note": before["note"] if note is None else text(note).strip(),
        "tags": before["tags"] if tags is None else tidy_tags(tags),
    }
    if after == before:
        return False
    versions.keep(connection, versions.NOTE, str(run_id), before, versions.REPLACED, former.project_id)
    connection.execute(runs.update().where(runs.c.id == run_id).values(note=after["note"]))
    connection.execute(schema.tags.delete().where(schema.tags.c.run_id == run_id))
    _tags(connection, [run_id], after["tags"])
    return True
