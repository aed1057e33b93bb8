"""Many uploads at once: nothing lost, nothing doubled, nobody locked out."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import numpy as np

from core.measurement import Observation
from tests.db.examples import FULL, simple

AT_ONCE = 50


def together(number, work):
    """Run ``work(index)`` in that many threads, all let go at the same moment."""
    gate = Barrier(number)

    def one(index):
        gate.wait()
        return work(index)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(one, range(number)))


def test_fifty_different_uploads_are_fifty_runs(store):
    """Each upload gets its own run with all its samples."""
    saved = together(AT_ONCE, lambda index: store.save([simple(index)], uploaded_by=str(index))[0])

    assert all(run.new for run in saved)
    assert len({run.id for run in saved}) == AT_ONCE
    for index, run in enumerate(saved):
        found = store.run(run.id)
        assert found.run.samples == simple(index).samples
        assert found.row.uploaded_by == str(index)


def test_fifty_times_the_same_upload_is_one_run(store):
    """Exactly one of the fifty is told that its run is new."""
    saved = together(AT_ONCE, lambda _: store.save([FULL], tags=["a", "b"])[0])

    assert sum(run.new for run in saved) == 1
    assert len({run.id for run in saved}) == 1
    assert len(store.runs().runs) == 1
    assert len(store.samples([saved[0].id])["time_s"]) == len(FULL.samples)


def test_lines_that_come_together_are_those_of_one_upload(store):
    """Logs of one run that differ in their lines, at once: none fails, and the run has the lines of one."""
    bare = [replace(simple(index), observations=()) for index in range(20)]
    numbers = [run.id for run in store.save(bare)]

    def upload(index):
        lines = tuple(Observation("nodes", f"{index}{line}") for line in range(index + 1))
        store.save([replace(run, observations=lines) for run in (bare if index % 2 else bare[::-1])])

    together(8, upload)

    for number in numbers:
        values = [item.value for item in store.run(number).run.observations]
        assert values == [f"{len(values) - 1}{line}" for line in range(len(values))]
        assert values


def test_overlapping_uploads_do_not_lock_each_other_out(store):
    """Files that share runs in opposite orders all get through, and every run is there once."""
    runs = [simple(index) for index in range(12)]

    def upload(index):
        ordered = runs if index % 2 else runs[::-1]
        return {run.file: one.id for run, one in zip(ordered, store.save(ordered, tags=["t"]), strict=True)}

    answers = together(16, upload)

    assert all(answer == answers[0] for answer in answers)
    assert len(store.runs().runs) == len(runs)


def test_readers_see_whole_uploads_only(store):
    """While uploads of two runs each arrive, no reader ever counts an odd number of runs."""

    def work(index):
        if index % 2:
            store.save([simple(2 * index), simple(2 * index + 1)])
            return 0
        page = store.runs(limit=500)
        times = store.samples([row.id for row in page.runs])["time_s"]
        assert np.isfinite(times).all()
        return len(page.runs)

    counts = together(20, work)

    assert all(count % 2 == 0 for count in counts)
    assert len(store.runs(limit=500).runs) == 20


def test_of_windows_that_delete_at_once_one_has_done_it(store):
    """Eight press Delete, then eight Restore, again and again: an entry for each change, none for the rest."""
    (run,) = store.save([simple()])
    for _ in range(3):
        together(8, lambda _: store.delete(run.id))
        together(8, lambda _: store.undelete(run.id))

    acts = [entry.action for entry in reversed(store.audit.entries())]
    assert acts == ["upload", *3 * ["delete run", "restore run"]]
