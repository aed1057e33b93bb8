"""Crash and load: what was confirmed is there and whole, however the writers died."""

import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.measurement import Sample
from db.engine import open_engine, parse
from db.errors import StoreError
from db.store import Store
from tests.db.examples import FULL, simple

ROOT = Path(__file__).resolve().parents[2]
WRITERS = 3
FAR = 1_000_000


def killed_writers(url, round_number, seconds):
    """Let some writers run, kill them at once, and return the runs they said were kept."""
    command = [sys.executable, "-m", "tests.db.crash_writer", url]
    starts = [FAR * (1 + round_number * WRITERS + writer) for writer in range(WRITERS)]
    running = [
        subprocess.Popen([*command, str(start)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for start in starts
    ]
    first = [process.stdout.readline() for process in running]
    time.sleep(seconds)
    for process in running:
        process.kill()
    said = [line + process.communicate()[0] for line, process in zip(first, running, strict=True)]
    return {int(number) + offset for lines in said for number in lines.split() for offset in range(3)}


def files_of(store):
    """The file of every run that is there, with its number of samples."""
    found, cursor = [], None
    while True:
        page = store.runs(cursor, limit=500)
        found += [(row.file, row.sample_count) for row in page.runs]
        cursor = page.next
        if cursor is None:
            return found


def check(store, confirmed):
    """Every confirmed run once, every run whole, uploads of three never torn."""
    found = files_of(store)
    names = [name for name, _ in found]

    assert len(names) == len(set(names))
    assert {f"run{number}.log" for number in confirmed} <= set(names)
    assert {count for _, count in found} <= {50}
    assert len(names) % 3 == 0


def crash(url, rounds, seed):
    """Kill writers again and again; the database stays whole."""
    chance = random.Random(seed)  # noqa: S311 - chance, not a secret
    confirmed = set()
    store = Store(url)
    store.prepare()
    for round_number in range(rounds):
        confirmed |= killed_writers(url, round_number, chance.uniform(0.0, 0.6))
        check(store, confirmed)
    assert len(confirmed) >= rounds * WRITERS * 3
    store.close()
    engine = open_engine(parse(url))
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            assert connection.execute(sa.text("PRAGMA integrity_check")).scalar() == "ok"
            assert connection.execute(sa.text("PRAGMA foreign_key_check")).all() == []
    engine.dispose()


def test_killed_writers_lose_nothing_they_confirmed(url):
    """Three processes write to one database and die in the middle of it."""
    crash(url, rounds=1, seed=1)


@pytest.mark.slow
def test_writers_killed_many_times_lose_nothing(url):
    """Twenty rounds of the same, each killed at another moment."""
    crash(url, rounds=20, seed=2)


@pytest.mark.slow
def test_an_hour_of_a_team_in_minutes(store):
    """Sixteen people upload, browse, delete and bring back for a minute; the sums are right."""
    end = time.monotonic() + 60
    kept = [set() for _ in range(16)]

    def person(index):
        chance = random.Random(index)  # noqa: S311 - chance, not a secret
        turns = 0
        while time.monotonic() < end:
            number = index * FAR + chance.randrange(200)
            saved = store.save([simple(number, samples=30), FULL])
            kept[index].add(number)
            store.runs(limit=50, gpu="a100", operation="all_reduce")
            store.samples([one.id for one in saved])
            if chance.random() < 0.3:
                store.delete(saved[0].id)
                store.undelete(saved[0].id)
            turns += 1
        return turns

    with ThreadPoolExecutor(16) as pool:
        turns = sum(pool.map(person, range(16)))
    found = files_of(store)

    assert turns > 100
    assert sorted(found) == sorted(
        [(FULL.file, len(FULL.samples))] + [(f"run{number}.log", 30) for mine in kept for number in mine]
    )


@pytest.mark.slow
def test_large_uploads_lose_no_small_one(store):
    """
    While 100,000 samples are written, forty small uploads are kept and the list stays readable.

    SQLite lets one write at a time and has the others wait for a minute: on a machine that gives this one next to
    no time an upload is told so, and sent again, as whoever uploads does.
    """
    sweep = tuple(Sample("all_reduce", size, 1e-6 * (size + 1), "in-place", 0) for size in range(100_000))

    def small(index):
        return sent(index) in {run.id for run in store.runs(limit=500).runs}

    def sent(index):
        for _ in range(10):
            with suppress(StoreError):
                return store.save([simple(100 + index)])[0].id
        pytest.fail("refused ten times")

    with ThreadPoolExecutor(9) as pool:
        heavy = pool.submit(store.save, [replace(FULL, samples=sweep)])
        seen = list(pool.map(small, range(40)))
        number = heavy.result()[0].id

    assert len(store.samples([number])["time_s"]) == 100_000
    assert seen == [True] * 40
