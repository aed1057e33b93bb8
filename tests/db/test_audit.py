"""The audit log: an entry with every act, in its transaction, and no way to change one."""

import ast
import csv
import io
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import InputError
from db import audit, schema
from db.__main__ import main
from db.acting import ActingStore
from db.audit import Action
from db.engine import WRITES, open_engine, parse
from db.errors import NotAllowedError, UnknownRunError
from db.people import THIS_MACHINE, Person, Role
from db.scenarios import SavedScenario
from tests.core.jobs import data_parallel
from tests.db.examples import simple
from tests.db.test_fits import FIT
from tests.db.visitor import one_engine

ROOT = Path(__file__).resolve().parents[2]
ADA = Person("ada@example.com", Role.UPLOADER)


def said(store, number=None):
    """Who did what on which, the first first."""
    entries = store.audit.entries()[:number]
    return [(entry.actor, entry.action, entry.subject, entry.detail) for entry in reversed(entries)]


def test_every_act_is_written_down(store):
    """Uploads, deletes, restores, notes, fits, scenarios, files, projects and tokens, in their order."""
    ada, root = store.seen_by(ADA), store.seen_by(THIS_MACHINE)
    root.projects.make("alpha", [ADA.name])
    (run,) = ada.save([simple(1)], project="alpha")
    ada.save([simple(1)], project="alpha")
    ada.annotate(run.id, note="new")
    ada.annotate(run.id, note="new")
    ada.delete(run.id)
    ada.undelete(run.id)
    ada.save_fit(FIT)
    ada.delete_fit(FIT.name)
    ada.past.bring_back(ada.past.versions("fit")[0].id)
    ada.scenarios.keep(SavedScenario("plan", "cost", ""))
    ada.scenarios.rename("plan", "new plan")
    ada.scenarios.delete("new plan")
    file = ada.keep_file(b"{}", name="config.json", kind="config")
    root.projects.change("alpha", new="beta")

    assert said(store) == [
        ("this machine", "make project", "project alpha", "ada@example.com"),
        (ADA.name, "upload", f"run {run.id}", "project alpha"),
        (ADA.name, "upload", f"run {run.id}", "project alpha; 1 there already"),
        (ADA.name, "change note", f"run {run.id}", ""),
        (ADA.name, "delete run", f"run {run.id}", ""),
        (ADA.name, "restore run", f"run {run.id}", ""),
        (ADA.name, "keep fit", f"fit {FIT.name}", ""),
        (ADA.name, "delete fit", f"fit {FIT.name}", ""),
        (ADA.name, "bring back version", f"fit {FIT.name}", ""),
        (ADA.name, "save scenario", "scenario plan", ""),
        (ADA.name, "rename scenario", "scenario plan", "now new plan"),
        (ADA.name, "delete scenario", "scenario new plan", ""),
        (ADA.name, "keep file", f"file {file.id}", "config config.json"),
        ("this machine", "change project", "project alpha", "now beta"),
    ]


def test_what_was_so_already_is_no_act(store):
    """A second window that deletes or restores again changes nothing: no entry, and the thirty days go on."""
    ada = store.seen_by(ADA)
    (run,) = ada.save([simple(1)])
    job = ada.jobs.save(data_parallel(), file="job")
    before = len(store.audit.entries())
    for delete, restore, deleted, number in (
        (ada.delete, ada.undelete, ada.past.runs, run.id),
        (ada.jobs.delete, ada.jobs.restore, ada.jobs.deleted, job.id),
    ):
        restore(number)
        delete(number)
        moment = deleted()[0].deleted_at
        delete(number)
        assert deleted()[0].deleted_at == moment
        restore(number)
        restore(number)

    acts = [entry.action for entry in reversed(store.audit.entries())][before:]
    assert acts == ["delete run", "restore run", "delete job", "restore job"]


def test_a_failed_act_leaves_no_entry(store):
    """What raises, raises out of its transaction."""
    ada = store.seen_by(ADA)
    acts = [
        lambda: ada.delete(99),
        lambda: ada.annotate(99, note="x"),
        lambda: ada.save([simple(samples=0)]),
        lambda: ada.save([simple(1)], project="none"),
        lambda: ada.delete_fit("none"),
        lambda: ada.scenarios.rename("none", "x"),
        lambda: ada.past.bring_back(99),
        lambda: ada.keep_file(b"", name="x", kind="config"),
    ]
    for act in acts:
        with pytest.raises((UnknownRunError, InputError)):
            act()

    assert said(store) == []


def test_an_act_whose_entry_fails_is_undone(store, monkeypatch):
    """No run without its entry: the same transaction holds both."""
    ada = store.seen_by(ADA)
    (run,) = ada.save([simple(1)])

    def full(*_):
        message = "the log is full"
        raise InputError(message)

    monkeypatch.setattr(audit, "write", full)
    for act in (lambda: ada.save([simple(2)]), lambda: ada.delete(run.id), lambda: ada.save_fit(FIT)):
        with pytest.raises(InputError, match="the log is full"):
            act()
    assert (store.run_count(), store.run(run.id).row.deleted_at, store.fits()) == (1, None, [])


@one_engine
def test_an_act_that_forgets_its_entry_is_undone(store, monkeypatch):
    """A change of ours that logs nothing fails at its first try, and changes nothing."""
    monkeypatch.setattr("db.transactions.Act.log", lambda *_: None)
    with pytest.raises(RuntimeError, match="without its entry"):
        store.save([simple(1)])

    assert store.run_count() == 0


def test_nothing_updates_the_log_and_only_age_deletes_from_it():
    """In the whole program one statement deletes entries, by their age; none updates."""
    changes = []
    for path in sorted((ROOT / "db").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name = ast.unparse(node.func)
                if name in {
                    f"{log}.{verb}" for log in ("audit", "schema.audit") for verb in ("update", "delete")
                }:
                    changes.append((path.name, name))

    assert changes == [("audit.py", "audit.delete")]


@one_engine
def test_entries_go_after_their_time(store, url, monkeypatch):
    """WIRESPEED_AUDIT_DAYS later the next act removes them."""
    monkeypatch.setenv("WIRESPEED_AUDIT_DAYS", "10")
    store.save([simple(1)])
    store.save([simple(2)])
    engine = open_engine(parse(url))
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        old = schema.audit.update().where(schema.audit.c.id == 1)
        connection.execute(old.values(at=datetime.now(UTC) - timedelta(days=11)))
    engine.dispose()
    store.save([simple(3)])

    assert [entry.subject for entry in store.audit.entries()] == ["run 3", "run 2"]


@one_engine
def test_an_upload_of_many_runs_is_one_short_entry(store):
    """The first ten numbers, and how many more."""
    store.save([simple(number) for number in range(14)])

    assert said(store)[0][2] == "runs 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4 more, up to 14"


@one_engine
def test_what_a_role_may_not_do_is_written_down_a_few_times(store):
    """Who was refused what, at most ten a minute of a person, so that nobody fills the log."""
    eve = Person("eve-refused@example.com", Role.VIEWER)
    view = ActingStore(store, lambda: eve)
    for _ in range(15):
        with pytest.raises(NotAllowedError):
            view.delete(7)

    assert (
        said(store)
        == [(eve.name, "refused", "delete run 7", "This needs the role of an uploader; yours is viewer.")]
        * 10
    )


@one_engine
def test_one_kind_of_refusal_hides_no_other(store):
    """Many refused files leave room for the delete that was refused after them."""
    eve = Person("eve-many@example.com", Role.VIEWER)
    view = ActingStore(store, lambda: eve)
    for number in range(15):
        with pytest.raises(NotAllowedError):
            view.keep_file(b"{}", name=f"{number}.log", kind="log")
    with pytest.raises(NotAllowedError):
        view.delete(7)

    acts = [entry.subject for entry in store.audit.entries(action="refused")]
    assert acts[0] == "delete run 7"
    assert len(acts) == 11


@one_engine
def test_only_admins_read_the_log(store):
    """Whoever else asks is told which role it needs."""
    for person in (ADA, Person("vic@example.com", Role.VIEWER)):
        with pytest.raises(NotAllowedError, match="role of an admin"):
            store.seen_by(person).audit.entries()


def test_entries_are_found_by_who_what_which_and_when(store):
    """Parts of names in any case, exact actions; signs of LIKE are letters."""
    ada = store.seen_by(ADA)
    (run,) = ada.save([simple(1)])
    ada.annotate(run.id, note="x")
    store.delete(run.id)
    entries = store.audit.entries

    assert [entry.action for entry in entries(actor="ADA@")] == ["change note", "upload"]
    assert [entry.actor for entry in entries(action=str(Action.DELETE_RUN))] == ["server"]
    assert len(entries(subject=f"run {run.id}")) == 3
    assert (
        entries(actor="%") == entries(subject="_un") == entries(since=datetime(2100, 1, 1, tzinfo=UTC)) == []
    )
    assert len(entries(limit=1)) == 1


@one_engine
def test_no_name_acts_on_the_terminal_of_who_reads_the_log(store, url, monkeypatch, capsys):
    """New lines, escapes and signs that turn the writing stand as escapes; files and scenarios refuse such names."""
    hostile = "a\nb\x1b[2J\u202ec.json"
    ada = store.seen_by(ADA)
    with pytest.raises(InputError, match="without control characters"):
        ada.keep_file(b"{}", name=hostile, kind="config")
    ada.audit.note(Action.REFUSED, hostile)
    with pytest.raises(InputError, match="printable characters"):
        ada.scenarios.keep(SavedScenario(hostile, "cost", ""))
    monkeypatch.setenv("WIRESPEED_DATABASE_URL", url)

    assert main(["audit"]) == 0
    printed = capsys.readouterr().out
    assert all(line.isprintable() for line in printed.splitlines())
    assert printed.count("\n") == 2
    assert r"a\nb\x1b[2J\u202ec.json" in printed


@one_engine
def test_a_project_that_goes_names_the_tokens_that_go_with_it(store):
    """A token of a deleted project works no more, and the log says whose it was."""
    store.projects.make("alpha", [ADA.name])
    store.seen_by(ADA).tokens.make("CI", "read", project="alpha")
    store.projects.delete("alpha")

    assert said(store, 2) == [
        ("server", "delete project", "project alpha", ""),
        ("server", "revoke token", "token CI", f"of {ADA.name}; project alpha deleted"),
    ]


@one_engine
def test_nobody_writes_an_entry_for_what_was_not_done(store):
    """Beside a refused act and a sign-out, which change nothing, entries come from acts alone."""
    view = ActingStore(store, lambda: ADA)
    for action in set(Action) - {Action.REFUSED, Action.SIGN_OUT}:
        with pytest.raises(NotAllowedError, match="The act itself"):
            view.audit.note(action, "run 1")
    view.audit.note(Action.SIGN_OUT, "uploader")

    assert [entry.action for entry in store.audit.entries()] == ["sign out"]


@one_engine
def test_the_shell_prints_the_log_as_csv(store, url, monkeypatch, capsys):
    """With the filters of the page; no text of it is a formula to a spreadsheet."""
    monkeypatch.setenv("WIRESPEED_DATABASE_URL", url)
    store.seen_by(Person("=cmd()@example.com", Role.UPLOADER)).save([simple(1)])
    store.delete(1)
    assert main(["audit", "--action", "upload", "--since", "2026-01-01"]) == 0

    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["actor"], row["action"], row["subject"]) == ("'=cmd()@example.com", "upload", "run 1")
    for wrong in (["--since", "yesterday"], ["--limit", "0"], ["--limit", "x"]):
        with suppress(SystemExit):
            assert main(["audit", *wrong]) == 2
        assert "Traceback" not in capsys.readouterr().err
