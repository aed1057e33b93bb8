"""Traced jobs in the store: kept once, whole, by project; deleted and brought back; over HTTP."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
import sqlalchemy as sa

from core.errors import InputError
from core.traces.detect import read_job
from core.traces.job_json import job_to_json
from core.traces.records import Job
from db import health, schema
from db.acting import ActingStore
from db.backup import write_file
from db.backup_file import BackupFile
from db.engine import open_engine, parse
from db.errors import NotAllowedError, UnknownRunError
from db.job_rows import content, job_of
from db.people import Person, Role
from db.restore import restore
from tests.core.jobs import data_parallel, tensor_parallel
from tests.db.examples import trace_file
from tests.db.visitor import HERE, Visitor, one_engine

JOBS = "/api/v1/jobs"
ZIP = {"content-type": "application/zip"}
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples" / "job"


@pytest.fixture(scope="module")
def traced():
    """A job of two ranks over gloo, as PyTorch's profiler wrote it."""
    files = [(path.name, BytesIO(path.read_bytes())) for path in sorted(EXAMPLES.glob("*.json.gz"))]
    return read_job(files)


def test_a_real_trace_comes_back_as_it_was_read(store, traced):
    """Every column of every collective, compute and steps, to the last digit, on both engines."""
    saved = store.jobs.save(traced, file="train.zip", note=" first try ")
    opened = store.jobs.opened(saved.id)

    assert saved.new
    assert json.dumps(job_to_json(opened.job)) == json.dumps(job_to_json(traced))
    assert (opened.row.file, opened.row.note, opened.row.format) == ("train.zip", "first try", "kineto")
    assert opened.row.rank_count == 2
    assert opened.row.collective_count == sum(len(trace.collectives) for trace in traced.ranks)


def test_collectives_are_rows_to_ask_sql_about(store):
    """Bytes by rank, operation and step come from the table, what is unknown is null."""
    saved = store.jobs.save(data_parallel(ranks=2, steps=3), file="job.json")
    table = schema.job_collectives
    query = sa.select(table.c.rank, sa.func.count(), sa.func.sum(table.c.bytes_in))
    query = query.where(table.c.job_id == saved.id, table.c.operation == "all_reduce", table.c.step < 2)
    with store._connections.reading() as connection:
        rows = connection.execute(query.group_by(table.c.rank).order_by(table.c.rank)).all()
        times = connection.execute(sa.select(sa.func.min(table.c.duration_s))).scalar_one()

    assert [tuple(row) for row in rows] == [(0, 8, 8 * (64 << 20)), (1, 8, 8 * (64 << 20))]
    assert times == pytest.approx(1e-3)


def test_a_trace_that_does_not_tell_its_rank_is_kept(store, url):
    """A file without ``distributedInfo`` has rank -1, in the table too, and comes back as it was read."""
    job = data_parallel(ranks=1)
    job = replace(job, ranks=tuple(replace(trace, rank=-1) for trace in job.ranks))
    saved = store.jobs.save(job, file="trace.json")
    with store._connections.reading() as connection:
        ranks = connection.execute(sa.select(schema.job_collectives.c.rank).distinct()).scalars().all()

    assert ranks == [-1]
    assert job_to_json(store.jobs.opened(saved.id).job) == job_to_json(job)
    assert _problems(url) == ()


@one_engine
def test_a_time_of_minus_zero_is_no_damage(store, url):
    """SQLite gives -0.0 back as 0.0: the check takes the job for what was kept."""
    job = data_parallel(ranks=1)
    (trace,) = job.ranks
    columns = trace.collectives
    exposed_s = np.where(np.arange(len(columns)) == 0, -0.0, columns.exposed_s)
    job = replace(job, ranks=(replace(trace, collectives=replace(columns, exposed_s=exposed_s)),))
    store.jobs.save(job, file="trace.json")

    assert _problems(url) == ()


def _problems(url):
    engine = open_engine(parse(url))
    problems = health.examine(engine).problems
    engine.dispose()
    return problems


@one_engine
def test_a_job_is_kept_once_whatever_its_files_are_called(store):
    """The same traces in another zip are the same job; another step is another."""
    first = store.jobs.save(data_parallel(), file="a.zip")
    again = store.jobs.save(data_parallel(), file="b.zip")
    other = store.jobs.save(tensor_parallel(layers=2), file="a.zip")

    assert (first.id, False) == (again.id, again.new)
    assert other.new
    assert [row.id for row in store.jobs.page().jobs] == [other.id, first.id]


@one_engine
def test_a_page_of_jobs_leads_to_the_next(store):
    """The cursor of a page is where the older ones begin; the last page has none."""
    numbers = [store.jobs.save(data_parallel(steps=steps), file="x").id for steps in (1, 2, 3)]
    newest = store.jobs.page(limit=2)
    oldest = store.jobs.page(newest.next, limit=2)

    assert [row.id for row in newest.jobs] == numbers[:0:-1]
    assert [row.id for row in oldest.jobs] == numbers[:1]
    assert oldest.next is None


def test_a_deleted_job_is_restored_for_thirty_days(store):
    """It leaves the list, stands in the trash, comes back whole; the audit log has all of it."""
    saved = store.jobs.save(data_parallel(), file="job.json")
    store.jobs.delete(saved.id)
    assert store.jobs.page().jobs == ()
    assert [row.id for row in store.jobs.deleted()] == [saved.id]
    store.jobs.restore(saved.id)
    assert [row.id for row in store.jobs.page().jobs] == [saved.id]
    store.jobs.delete(saved.id)
    again = store.jobs.save(data_parallel(), file="job.json")
    assert (again.id, again.restored) == (saved.id, True)

    actions = [entry.action for entry in store.audit.entries() if entry.subject == f"job {saved.id}"]
    assert actions == ["restore job", "delete job", "restore job", "delete job", "keep job"]


def test_the_trash_of_jobs_is_emptied_after_thirty_days(store):
    """A job that was deleted long ago goes with its collectives when another is deleted."""
    old, new = (store.jobs.save(data_parallel(steps=steps), file="x").id for steps in (1, 2))
    store.jobs.delete(old)
    with store._connections.writing() as connection:
        long_ago = datetime.now(UTC) - timedelta(days=31)
        connection.execute(schema.jobs.update().where(schema.jobs.c.id == old).values(deleted_at=long_ago))
    store.jobs.delete(new)

    with pytest.raises(UnknownRunError, match=f"there is no job {old}"):
        store.jobs.restore(old)
    with store._connections.reading() as connection:
        left = connection.execute(sa.select(schema.job_collectives.c.job_id).distinct()).scalars().all()
    assert left == [new]


def test_a_projects_jobs_are_its_members_alone(store):
    """Others neither list nor open them, and the same job may be everyone's besides."""
    store.projects.make("lab", ["ann@lab.org"])
    ann = store.seen_by(Person("ann@lab.org", Role.UPLOADER))
    bob = store.seen_by(Person("bob@lab.org", Role.UPLOADER))
    hers = ann.jobs.save(data_parallel(), file="a", project="lab")
    open_to_all = bob.jobs.save(data_parallel(), file="a")

    assert hers.id != open_to_all.id
    assert [row.project for row in ann.jobs.page().jobs] == [None, "lab"]
    assert [row.id for row in bob.jobs.page().jobs] == [open_to_all.id]
    assert [row.id for row in ann.jobs.page(project="lab").jobs] == [hers.id]
    for ask in (bob.jobs.opened, bob.jobs.delete, bob.jobs.restore):
        with pytest.raises(UnknownRunError):
            ask(hers.id)
    with pytest.raises(InputError, match="1 jobs belong to 'lab'"):
        store.projects.delete("lab")


@one_engine
def test_roles_reach_as_far_as_with_runs(store):
    """Viewers keep nothing; uploaders delete what is theirs, admins anything."""

    def acting(name, role):
        return ActingStore(store, lambda: Person(name, role))

    saved = acting("ann@lab.org", Role.UPLOADER).jobs.save(data_parallel(), file="a")
    with pytest.raises(NotAllowedError):
        acting("eve@lab.org", Role.VIEWER).jobs.save(data_parallel(), file="a")
    with pytest.raises(NotAllowedError):
        acting("bob@lab.org", Role.UPLOADER).jobs.delete(saved.id)
    acting("root@lab.org", Role.ADMIN).jobs.delete(saved.id)
    with pytest.raises(NotAllowedError):
        acting("bob@lab.org", Role.UPLOADER).jobs.restore(saved.id)
    acting("ann@lab.org", Role.UPLOADER).jobs.restore(saved.id)

    assert acting("eve@lab.org", Role.VIEWER).jobs.opened(saved.id).row.uploaded_by == "ann@lab.org"


@one_engine
def test_a_job_without_collectives_is_not_kept(store):
    """There is nothing to keep of it, and the store says so in a line."""
    with pytest.raises(InputError, match="no collectives"):
        store.jobs.save(Job("kineto", ()), file="empty.json")


def test_a_backup_holds_jobs_and_a_check_knows_them(store, url, tmp_path):
    """Restored on the other file, the job is what it was; a changed duration is told."""
    saved = store.jobs.save(data_parallel(), file="job.json")
    engine = open_engine(parse(url))
    write_file(engine, tmp_path / "a.backup")
    copy = open_engine(parse(f"sqlite:///{tmp_path / 'copy.db'}"))
    restore(copy, BackupFile(tmp_path / "a.backup"))
    assert health.examine(engine).problems == health.examine(copy).problems == ()
    with copy.begin() as connection:
        changed = schema.job_collectives.update().where(schema.job_collectives.c.position == 3)
        connection.execute(changed.values(duration_s=2e-3))

    assert health.examine(copy).problems == (f"job {saved.id} is not what was kept",)
    engine.dispose()
    copy.dispose()


@pytest.mark.parametrize("packed", [b"", b"\x1f\x8bnonsense", b"no gzip at all"])
def test_a_damaged_row_is_one_line(packed):
    """What somebody did to the file ends in a sentence, not in a traceback."""
    kept = content(data_parallel())

    with pytest.raises(InputError, match="the stored job is damaged"):
        job_of(kept.values, packed, kept.rows)


class TestHttp:
    """POST and GET /api/v1/jobs."""

    @one_engine
    def test_a_zip_of_traces_becomes_a_job_and_a_job_file(self, client):
        """201 with the address of its page, 200 for the same again, and what comes out can go in."""
        archive = BytesIO()
        with ZipFile(archive, "w") as packed:
            for path in EXAMPLES.glob("*.json.gz"):
                packed.write(path, path.name)
        sent = client.post(archive.getvalue(), ZIP, path=JOBS, file="two.zip", note="before")
        number = sent[1]["id"]
        fetched = client.get(f"{JOBS}/{number}")

        assert sent == (201, {"id": number, "url": f"{HERE}/job?job={number}", "new": True})
        assert client.post(fetched.content, path=JOBS)[0] == 200
        (listed,) = client.get(JOBS).json()["jobs"]
        assert (listed["file"], listed["note"], listed["rank_count"]) == ("two.zip", "before", 2)
        assert listed["uploaded_by"] == "this machine"

    @one_engine
    @pytest.mark.parametrize(
        ("body", "headers", "status", "words"),
        [
            (b"", {}, 400, "the body is empty"),
            (b"lorem ipsum", {}, 400, "no trace of a known kind"),
            (b"PK\x03\x04rubbish", ZIP, 400, "not a zip that can be read"),
            (b"{}", {"content-type": "image/png"}, 415, "an archive of one a rank"),
            (b"x" * 2000, {}, 413, "WIRESPEED_MAX_UPLOAD_MB"),
        ],
    )
    def test_what_is_no_trace_is_one_line(self, store, monkeypatch, body, headers, status, words):
        """The errors of runs: a status, a line, nothing kept."""
        monkeypatch.setenv("WIRESPEED_MAX_UPLOAD_MB", "0.001")
        with Visitor(store) as visitor:
            answer = visitor.post(body, headers, path=JOBS)

        assert answer[0] == status
        assert words in answer[1]["error"]
        assert store.jobs.page().jobs == ()

    @one_engine
    def test_a_deleted_or_unknown_job_is_not_there(self, client, store):
        """404 with a sentence, also for numbers that no table holds."""
        number = client.post(trace_file(), path=JOBS)[1]["id"]
        store.jobs.delete(number)

        assert client.get(f"{JOBS}/{number}").json()["error"] == f"job {number} was deleted"
        for unknown in (0, number + 1, 2**70, "9" * 5000, "first", "%C2%B2"):
            assert client.get(f"/api/v1/runs/{unknown}").status_code == 404
            assert client.get(f"{JOBS}/{unknown}").status_code == 404
        assert client.get(f"{JOBS}?cursor=x").status_code == 400
