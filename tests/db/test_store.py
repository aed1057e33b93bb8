"""What goes into the store comes out whole, once, and can be found, hidden and brought back."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core.checks import InputError
from core.measurement import Machine, Notice, Observation, Run, Sample
from core.verdict import judge_run
from db.errors import StoreError, UnknownRunError
from db.people import Person, Role
from db.store import Store
from gpu_probe.parsers.answer import answered
from tests.core.defects import DEFECTS, FOUR_A100
from tests.db.examples import FULL, MACHINE, simple


def test_a_run_comes_back_as_it_went_in(store):
    """Every field of a run, its samples in their order, matrices and warnings survive the store."""
    saved = store.save([FULL], raw_sha256="ab" * 32, tags=["before"], note=" first ", uploaded_by="ada")
    stored = store.run(saved[0].id)

    assert stored.run == FULL
    assert stored.raw_sha256 == "ab" * 32
    assert stored.row.tags == ("before",)
    assert (stored.row.note, stored.row.uploaded_by) == ("first", "ada")
    assert (stored.row.sample_count, stored.row.matrix_count, stored.row.warning_count) == (5, 2, 2)
    assert datetime(2026, 3, 1, 11, tzinfo=UTC) == stored.row.measured_at


def test_the_same_run_twice_is_one_run(store):
    """A second upload finds the first, under whatever file name and with whatever remarks."""
    first = store.save([FULL])[0]
    renamed = replace(FULL, file="copy.log", warnings=(Notice("other", "words"),), format="wirespeed-run")
    second = store.save([renamed], tags=["again"])[0]

    assert first.new
    assert not second.new
    assert first.id == second.id
    assert len(store.runs().runs) == 1
    assert store.run(first.id).run == FULL
    assert store.run(first.id).row.tags == ("again",)


def test_a_stored_run_has_the_verdict_of_its_log(store):
    """The lines that name the cause are kept with the run: same causes, weights and quotes on both engines."""
    run = DEFECTS["no GPUDirect RDMA"].run(np.random.default_rng(1))
    saved = store.save([run])[0]
    told, stored = (judge_run(each, FOUR_A100) for each in (run, store.run(saved.id).run))

    assert stored.causes == told.causes
    assert stored.causes[0].reason.code == "no_gpudirect"
    assert stored.causes[0].lines


def test_a_log_with_more_lines_adds_them_to_its_run(store):
    """A run that was kept without them gains what a later upload says of the machine, once."""
    run = DEFECTS["TCP"].run(np.random.default_rng(1))
    bare = store.save([replace(run, observations=())])[0]
    again = [store.save([each])[0] for each in (run, replace(run, observations=run.observations * 2))]

    assert [item.id for item in again] == [bare.id, bare.id]
    assert store.run(bare.id).run.observations == run.observations


def test_nobody_adds_lines_to_the_run_of_another(store):
    """The same times with other lines leave another's run as it is; who keeps it, and the server, add theirs."""
    ann, bob = (store.seen_by(Person(f"{name}@lab.org", Role.UPLOADER)) for name in ("ann", "bob"))
    run = DEFECTS["TCP"].run(np.random.default_rng(1))
    forged = replace(run, observations=(Observation("transport", "NET/IB staged"),))
    hers = ann.save([replace(run, observations=())])[0]
    bob.save([forged])
    before = ann.run(hers.id).run.observations
    ann.save([run])

    assert before == ()
    assert ann.run(hers.id).run.observations == run.observations
    added = [(entry.actor, entry.detail) for entry in store.audit.entries() if "lines added" in entry.detail]
    assert added == [("ann@lab.org", f"1 there already; lines added to run {hers.id}")]


def test_a_run_that_a_reader_has_named_is_the_same_run(store):
    """A log that names no collective is stored once: as it came by HTTP, and with its guess chosen on a page."""
    came = replace(
        FULL,
        collective=None,
        collective_guess="all_reduce",
        samples=tuple(replace(sample, operation=None) for sample in FULL.samples),
    )
    named = answered(came, "all_reduce")
    other = answered(came, "all_gather")
    saved = [store.save([run])[0] for run in (came, named, other)]

    assert [item.new for item in saved] == [True, False, True]
    assert saved[0].id == saved[1].id


def test_a_time_that_went_through_microseconds_is_the_same_time(store):
    """The last bit of a float, lost on the way through a run file, makes no second run."""
    shaken = tuple(replace(s, time_s=s.time_s * 1e6 * 1e-6 * (1 + 1e-15)) for s in FULL.samples)

    assert store.save([FULL])[0].id == store.save([replace(FULL, samples=shaken)])[0].id


@pytest.mark.parametrize(
    "change",
    [
        {"ranks": 8},
        {"dtype": "half"},
        {"collective": "all_gather"},
        {"started_at": "2026-03-02"},
        {"machine": replace(MACHINE, nccl="2.23")},
        {"machine": replace(MACHINE, env={})},
        {"machine": replace(MACHINE, hosts=("node-c",))},
        {"samples": FULL.samples[:-1]},
        {"matrices": FULL.matrices[:1]},
    ],
)
def test_another_setting_is_another_run(store, change):
    """Whatever was measured, or was set while measuring, tells runs apart."""
    first, second = store.save([FULL, replace(FULL, **change)])

    assert first.new
    assert second.new
    assert first.id != second.id


def test_runs_of_one_file_keep_their_order(store):
    """The answer lists the fates in the order of the file, repeats inside it included."""
    runs = [simple(3), simple(1), simple(2), simple(1)]
    saved = store.save(runs)

    assert [run.samples for run in runs] == [store.run(run.id).run.samples for run in saved]
    assert saved[1] == saved[3]


def test_an_upload_is_kept_whole_or_not_at_all(store):
    """One impossible number refuses the upload and leaves nothing of it behind."""
    broken = replace(simple(2), samples=(Sample("all_reduce", 8, float("nan")),))

    with pytest.raises(InputError, match=r"samples\[0\]\.time_s: finite and not negative, not nan"):
        store.save([simple(1), broken])
    assert store.runs().runs == ()


def test_attempts_that_measured_nothing_are_left_out(store):
    """A log with a failed launch before the good one keeps the good one."""
    failed = Run("a", "nccl-tests-text", "all_reduce", 8, warnings=(Notice("no_rows", "no rows"),))
    saved = store.save([failed, simple(1), failed])

    assert [store.run(run.id).run for run in saved] == [simple(1)]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (Run("a", "topo-m", None, None), "there is no measurement to keep"),
        (replace(simple(), samples=(Sample("x", 2**63, 1.0),)), r"samples\[0\]\.size_bytes: a whole number"),
        (replace(simple(), samples=(Sample("x", 8, -1.0),)), r"samples\[0\]\.time_s"),
        (replace(simple(), samples=(Sample("x", 8, 1.0, wrong=-1),)), r"samples\[0\]\.wrong"),
        (replace(simple(), ranks=2**40), "ranks: a whole number"),
        (replace(simple(), file="a\nb"), r"file: a name without control characters, not 'a\\nb'"),
        (replace(simple(), file="a\x00b"), "file: a name without control characters"),
        (replace(simple(), file="gol\u202etxt.exe"), "file: a name without control characters"),
    ],
)
def test_what_is_no_measurement_is_refused_in_one_line(store, run, words):
    """Neither engine gets to see a number that it could not hold."""
    with pytest.raises(InputError, match=words) as refused:
        store.save([run])
    assert "\n" not in str(refused.value)


def test_hostile_text_is_stored_without_what_breaks_a_database(store):
    """NUL and half a surrogate pair would be refused by PostgreSQL; quotes are only text, also in a file's name."""
    name = "a\x00b\ud800'; DROP TABLE runs; --\u202e\U0001f680"
    called = "b\ud800'; DROP TABLE runs; --\u200d\u00a0\U0001f680"
    run = replace(simple(), file=called, machine=Machine(hosts=(name,), env={"NCCL_X": name}))
    number = store.save([run], note=name, tags=[name, "", " "])[0].id

    kept = "ab?'; DROP TABLE runs; --\u202e\U0001f680"
    found = store.run(number)
    assert (kept, (kept,)) == (found.row.note, found.row.tags)
    assert found.run.file == called.replace("\ud800", "?")
    assert {"NCCL_X": kept} == found.run.machine.env
    assert (kept,) == found.run.machine.hosts


def test_only_nccl_variables_reach_the_store(store):
    """A secret in the environment of a run file is dropped at the door."""
    machine = Machine(env={"NCCL_ALGO": "Tree", "AWS_SECRET_ACCESS_KEY": "x", "nccl_x": "y"})

    number = store.save([replace(simple(), machine=machine)])[0].id
    assert store.run(number).run.machine.env == {"NCCL_ALGO": "Tree"}


def test_sizes_beyond_32_bits_survive(store):
    """16 GiB and the largest integer are kept exactly on both engines."""
    sizes = (16 * 2**30, 2**63 - 1)
    run = replace(simple(), samples=tuple(Sample("all_reduce", size, 1.0) for size in sizes))

    number = store.save([run])[0].id
    assert sizes == tuple(sample.size_bytes for sample in store.run(number).run.samples)
    assert list(sizes) == store.samples([number])["size_bytes"].tolist()


class TestSamples:
    """Samples of many runs as columns."""

    def test_columns_carry_every_sample(self, store):
        """Numbers come as numbers, absent ones as NaN, words as words."""
        ids = [run.id for run in store.save([FULL, simple(1)])]
        columns = store.samples(ids)

        assert {9} == {len(column) for column in columns.values()}
        assert np.float64 == columns["time_s"].dtype
        assert np.isnan(columns["wrong"][1])
        assert [s.time_s for s in FULL.samples] == columns["time_s"][:5].tolist()
        assert columns["detail"][4:5].tolist() == ["GPU0 to GPU1, both ways"]

    def test_a_filter_leaves_one_series(self, store):
        """Placements are never mixed unless asked for."""
        number = store.save([FULL])[0].id
        columns = store.samples([number], operation="all_reduce", placement="in-place")

        assert columns["time_s"].tolist() == [30.9e-6, 32.5e-6]

    def test_no_runs_are_no_rows(self, store):
        """Asking for nothing gives empty columns with their types."""
        columns = store.samples([])

        assert {0} == {len(column) for column in columns.values()}
        assert np.int64 == columns["size_bytes"].dtype


class TestDeleting:
    """Delete with undo."""

    def test_a_deleted_run_is_hidden_and_can_come_back(self, store):
        """It leaves the list, keeps everything, and undo shows it again."""
        number = store.save([FULL], tags=["kept"])[0].id
        store.delete(number)

        assert store.runs().runs == ()
        assert [number] == [row.id for row in store.runs(deleted=True).runs]
        store.undelete(number)
        assert [number] == [row.id for row in store.runs().runs]
        assert store.run(number).run == FULL

    def test_uploading_a_deleted_run_brings_it_back(self, store):
        """Who uploads a run wants to see it: it is shown again and not doubled."""
        number = store.save([FULL])[0].id
        store.delete(number)
        again = store.save([FULL])[0]

        assert (number, False, True) == (again.id, again.new, again.restored)
        assert [number] == [row.id for row in store.runs().runs]

    @pytest.mark.parametrize("action", ["run", "delete", "undelete"])
    def test_an_unknown_run_is_named(self, store, action):
        """A number that is not there is an answer, not a surprise."""
        with pytest.raises(UnknownRunError, match=r"^there is no run 17$"):
            getattr(store, action)(17)

    def test_notes_and_tags_can_be_changed(self, store):
        """Either may be replaced alone; an unknown run is named."""
        number = store.save([FULL], tags=["a"], note="x")[0].id
        store.annotate(number, note="after the cable")
        store.annotate(number, tags=["b", "c"])

        row = store.rows([number])[0]
        assert (row.note, row.tags) == ("after the cable", ("b", "c"))
        with pytest.raises(UnknownRunError):
            store.annotate(99, note="x")


class TestMachines:
    """Kinds of machine."""

    def test_one_kind_of_machine_has_one_fingerprint(self, store):
        """Host names do not part machines of a kind; a driver does."""
        other = replace(MACHINE, hosts=("x", "y"))
        newer = replace(MACHINE, driver="570")
        ids = store.save([replace(FULL, machine=run) for run in (MACHINE, other, newer)])
        rows = store.rows([run.id for run in ids])

        assert rows[0].fingerprint == rows[1].fingerprint != rows[2].fingerprint
        assert rows[0].identity == rows[2].identity != rows[1].identity


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://localhost/x", "sqlite or postgresql, not mysql"),
        ("sqlite://", "SQLite needs a file"),
        ("nonsense", "WIRESPEED_DATABASE_URL: sqlite:///PATH or"),
    ],
)
def test_an_address_that_is_none_is_explained(url, words):
    """What the variable may hold is said in one line."""
    with pytest.raises(InputError, match=words):
        Store(url)


def test_an_unreachable_database_is_one_line_without_the_password():
    """The address is named, the password is not, and ready() is simply False."""
    store = Store("postgresql://ada:secret@127.0.0.1:1/none")

    assert store.obstacle()
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:1/none cannot be used") as refused:
        store.runs()
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)
    store.close()


def test_a_file_that_is_no_database_is_left_alone(tmp_path):
    """Neither a text nor a folder that cannot be made is overwritten or ends in a traceback."""
    (tmp_path / "notes.txt").write_text("not a database, but long enough to look at" * 50)
    for path in (tmp_path / "notes.txt", tmp_path / "notes.txt" / "below" / "a.db"):
        store = Store(f"sqlite:///{path}")
        with pytest.raises(StoreError, match="cannot be used") as refused:
            store.prepare()
        assert "\n" not in str(refused.value)
        store.close()

    assert (tmp_path / "notes.txt").read_text().startswith("not a database")


def test_a_store_is_ready_once_it_is_prepared(url):
    """Before the migrations it is not ready, and says so to who asks for runs."""
    store = Store(url)
    assert store.obstacle()
    with pytest.raises(StoreError, match="cannot be used"):
        store.runs()

    store.prepare()
    assert store.obstacle() is None
    store.close()
