"""Backups: whole, the same on both engines, and refused where they are cut, altered or do not fit."""

import gzip
import hashlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.errors import InputError
from db import health, migrate, schema
from db.__main__ import main
from db.backup import tables, write_file
from db.backup_file import BackupFile
from db.engine import open_engine, parse
from db.restore import restore
from db.store import Store
from tests.db.examples import FULL, simple

ROOT = Path(__file__).resolve().parents[2]


def content(engine):
    """Every row of every table."""
    with engine.connect() as connection:
        return {
            name: sorted(map(repr, connection.execute(sa.select(table)).all()))
            for name, table in schema.METADATA.tables.items()
        }


@pytest.fixture
def engine(url):
    """An empty database without tables, on each engine."""
    made = open_engine(parse(url))
    yield made
    made.dispose()


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A filled SQLite database whose latest run was purged, and its backup."""
    folder = tmp_path_factory.mktemp("source")
    store = Store(f"sqlite:///{folder / 'wirespeed.db'}")
    store.prepare()
    kept = store.save([FULL, simple(1), simple(2)], tags=["old", "ünï"], note="a note")
    store.keep_file(b"\x00\xff{}", name="config.json", kind="config")
    first, deleted, gone = sorted(run.id for run in kept)
    store.annotate(first, note="another note")
    store.delete(deleted)
    engine = open_engine(parse(f"sqlite:///{folder / 'wirespeed.db'}"))
    with engine.begin() as connection:
        connection.execute(schema.runs.delete().where(schema.runs.c.id == gone))
    write_file(engine, folder / "a.backup")
    yield engine, folder / "a.backup", gone
    engine.dispose()
    store.close()


def damaged(path, change):
    """A copy of a backup whose unpacked text was changed."""
    copy = path.with_name("damaged.backup")
    copy.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes()))))
    return copy


def resealed(path, change):
    """A copy with one line changed and a right checksum: a hostile backup rather than a broken one."""
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    lines, end = change(lines[:-1]), json.loads(lines[-1])
    counts, name = {}, ""
    for line in map(json.loads, lines[1:]):
        name = line["table"] if isinstance(line, dict) else name
        counts[name] = counts.get(name, 0) + 1 if isinstance(line, list) else 0
    end |= {"sha256": hashlib.sha256(b"".join(lines)).hexdigest(), "counts": counts}
    copy = path.with_name("resealed.backup")
    copy.write_bytes(gzip.compress(b"".join([*lines, json.dumps(end).encode() + b"\n"])))
    return copy


def test_a_backup_of_one_engine_is_restored_on_both(engine, source, tmp_path):
    """Every row comes back as it was, from SQLite to each engine and from there to SQLite again."""
    original, backup, _ = source
    restore(engine, BackupFile(backup))
    assert content(engine) == content(original)

    write_file(engine, tmp_path / "b.backup")
    with_back = open_engine(parse(f"sqlite:///{tmp_path / 'back.db'}"))
    restore(with_back, BackupFile(tmp_path / "b.backup"))
    assert content(with_back) == content(original)
    assert health.examine(with_back).problems == health.examine(engine).problems == ()
    with_back.dispose()


def test_ids_are_never_given_twice_after_a_restore(url, engine, source):
    """The number of a run that is gone stays its own: a link never opens another run."""
    _, backup, gone = source
    restore(engine, BackupFile(backup))
    store = Store(url)
    new = store.save([simple(9)])
    store.close()

    assert new[0].id > gone


def test_a_full_database_is_replaced_only_when_told(url, engine, source):
    """Without --replace a restore leaves what is there; with it the backup alone remains."""
    original, backup, _ = source
    store = Store(url)
    store.prepare()
    store.save([simple(7)])
    before = content(engine)

    with pytest.raises(InputError, match=r"not empty .*runs.*--replace"):
        restore(engine, BackupFile(backup))
    assert content(engine) == before
    restore(engine, BackupFile(backup), replace=True)
    assert content(engine) == content(original)
    assert store.obstacle() is None
    store.close()


def test_a_prepared_database_without_rows_counts_as_empty(url, engine, source):
    """A server that was started once on a new database does not stand in the way."""
    original, backup, _ = source
    store = Store(url)
    store.prepare()
    store.close()
    restore(engine, BackupFile(backup))

    assert content(engine) == content(original)


def test_a_backup_of_an_older_schema_is_restored_and_upgraded(engine, source, tmp_path):
    """What the first release wrote is read by this one."""
    old = open_engine(parse(f"sqlite:///{tmp_path / 'old.db'}"))
    first = min(migrate.revisions())
    with migrate.locked(old) as connection:
        migrate.run(connection, first)
        machine = {"fingerprint": "f", "gpu": "G", "gpu_count": 1, "host_count": 1}
        machines = next(table for table in tables(connection) if table.name == "machines")
        connection.execute(machines.insert(), machine)
    write_file(old, tmp_path / "old.backup")
    restore(engine, BackupFile(tmp_path / "old.backup"))

    seen = health.examine(engine)
    assert (seen.revision, seen.counts["machines"], seen.problems) == (migrate.head(), 1, ())
    old.dispose()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text[: len(text) // 2], "no JSON|its end is missing"),
        (lambda text: b"\n".join(text.split(b"\n")[:-2]) + b"\n", "its end is missing"),
        (lambda text: text.replace(b"another note", b"anything at"), "its checksum is another"),
        (lambda _: b'{"format":"tar"}\n', "it does not begin as one"),
        (lambda text: text.replace(b'"format_version":1', b'"format_version":9'), "newer format"),
        (lambda _: b"[" * 100_000, "no JSON"),
        (lambda _: b"\xff\xfe\n", "no JSON"),
        (lambda text: text + b"{}\n", "its checksum is another"),
    ],
)
def test_a_broken_backup_is_refused_in_one_line(source, change, reason):
    """Cut, altered, of another format: said before a database is opened."""
    with pytest.raises(InputError, match=reason) as refusal:
        BackupFile(damaged(source[1], change))

    assert "\n" not in str(refusal.value)


def test_a_file_cut_on_its_way_is_refused(source, tmp_path):
    """Bytes that a copy lost, at any place, are missed."""
    whole = source[1].read_bytes()
    cut = tmp_path / "cut.backup"
    for length in (0, 1, 11, len(whole) // 2, len(whole) - 1):
        cut.write_bytes(whole[:length])
        with pytest.raises(InputError, match="no whole backup"):
            BackupFile(cut)


def row_with(old, new):
    """A change of one value in the lines of a backup."""

    def change(lines):
        assert any(old in line for line in lines)
        return [line.replace(old, new) for line in lines]

    return change


HOSTILE = [
    (row_with(b'"table":"tags"', b'"table":"x; DROP TABLE runs"'), "is not one of schema"),
    (row_with(b'["tag","text"]', b'["tag","bytes"]'), "is no bytes|is not one of schema"),
    (row_with(b'"schema":"', b'"schema":"9'), "unknown to this program"),
    (row_with(b"another note", b"a\\u0000b"), "is no text"),
    (lambda lines: [*lines, lines[-1]], "does not fit its own schema|own schema"),
    (lambda lines: [lines[0], b'["a row"]\n'], "a row does not fit its table"),
    (
        lambda lines: [
            line
            for before, line in zip(["", *map(str, lines)], lines, strict=False)
            if "machines" not in before
        ],
        "does not fit its own schema",
    ),
]


def test_a_hostile_backup_changes_nothing(url, engine, source):
    """A right checksum over wrong rows is refused in one line, and the database stays as it was."""
    store = Store(url)
    store.prepare()
    store.save([simple(7)])
    store.close()
    before = content(engine)

    for change, reason in HOSTILE:
        with pytest.raises(InputError, match=reason) as refusal:
            restore(engine, BackupFile(resealed(source[1], change)), replace=True)
        assert "\n" not in str(refusal.value)
        assert content(engine) == before


def test_a_backup_replaces_no_file_and_leaves_no_half(source, tmp_path):
    """A name that is taken is kept, and what fails leaves nothing behind."""
    engine, backup, _ = source
    with pytest.raises(InputError, match="is there already"):
        write_file(engine, backup)
    with pytest.raises(InputError, match="cannot be written"):
        write_file(engine, tmp_path / "none" / "a.backup")
    write_file(engine, tmp_path / "new.backup")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.backup"]
    assert (tmp_path / "new.backup").stat().st_mode & 0o077 == 0


def test_a_check_names_what_is_wrong(url, engine):
    """A schema that was changed by hand, and a stored file that is no longer what was uploaded."""
    store = Store(url)
    store.prepare()
    store.keep_file(b"{}", name="a.json", kind="config")
    store.close()
    assert health.examine(engine).problems == ()
    with engine.begin() as connection:
        connection.execute(schema.files.update().values(content=b"[]"))
        connection.execute(sa.text("CREATE INDEX extra ON runs (file)"))

    problems = " ".join(health.examine(engine).problems)
    assert "is not what was uploaded" in problems
    assert "the schema differs" in problems


def test_rows_that_belong_to_none_are_named(tmp_path):
    """SQLite without foreign keys lets orphans in; a check finds them."""
    store = Store(f"sqlite:///{tmp_path / 'w.db'}")
    store.prepare()
    store.close()
    with sqlite3.connect(tmp_path / "w.db") as connection:
        connection.execute("INSERT INTO tags VALUES (77, 'lost')")
    connection.close()
    engine = open_engine(parse(f"sqlite:///{tmp_path / 'w.db'}"))

    assert health.examine(engine).problems == ("1 rows of tags belong to no row of runs",)
    engine.dispose()


def test_the_commands_work_as_an_operator_types_them(url, source, tmp_path, monkeypatch, capsys):
    """upgrade, restore, check, backup and check of the backup; a wrong one is exit 2 and one line."""
    monkeypatch.setenv("WIRESPEED_DATABASE_URL", url)
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 1
    assert "python -m db upgrade makes them" in capsys.readouterr().out
    assert [
        main(line.split()) for line in ("upgrade", "upgrade", f"restore {source[1]}", "check", "backup b")
    ] == [0] * 5
    assert main(["check", "b"]) == 0
    said = capsys.readouterr().out
    assert f"schema none -> {migrate.head()}" in said
    assert said.count("2 runs") == 4
    for line in (f"restore {source[1]}", "restore none", "backup b", "check none", "restore pyproject"):
        assert main(line.split()) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_backup_can_be_piped(source):
    """`python -m db backup -` writes nothing but the backup to standard output."""
    url = source[0].url.render_as_string()
    done = subprocess.run(
        [sys.executable, "-m", "db", "backup", "-"],
        cwd=ROOT,
        env={"WIRESPEED_DATABASE_URL": url, "PYTHONPATH": str(ROOT), "PATH": "/usr/bin"},
        capture_output=True,
        check=True,
    )

    assert (
        gzip.decompress(done.stdout).splitlines()[1:-1]
        == gzip.decompress(source[1].read_bytes()).splitlines()[1:-1]
    )
