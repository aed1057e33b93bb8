"""`python -m tests.bench.large [--runs N] [--data FOLDER]`: how long pages take to open with two million samples."""

import argparse
import statistics
import tempfile
from pathlib import Path

import sqlalchemy as sa

from db import schema
from db.store import Store
from tests.bench.cpu.session import Session
from tests.bench.store import fill
from tests.bench.ui import servers

PAGES = ("", "measurements", "compare", "check", "my_cluster", "topology")
REPEATS = 3
MOST_MS = 1000
OTHER = "kv_transfer"
KEPT = 200


def filled(database, count):
    """
    A store with at least so many runs of a hundred samples each.

    The first are kept as an upload is; the database copies them, which takes a fraction of the time.
    """
    url = f"sqlite:///{database}"
    store = Store(url)
    store.prepare()
    if store.run_count() == 0:
        fill(store, KEPT)
    engine = sa.create_engine(url)
    while store.run_count() < count:
        with engine.begin() as connection:
            _double(connection)
    engine.dispose()
    store.close()


def _double(connection):
    runs, series, samples = schema.runs, schema.series, schema.samples
    first, second = (
        connection.execute(sa.select(sa.func.max(table.c.id))).scalar() for table in (runs, series)
    )
    sha256, key = (sa.func.hex(sa.func.randomblob(32)) for _ in range(2))
    fresh = {
        runs: {"id": runs.c.id + first, "sha256": sha256, "key": key},
        series: {"id": series.c.id + second, "run_id": series.c.run_id + first},
        samples: {"series_id": samples.c.series_id + second},
    }
    for table, changed in fresh.items():
        columns = [changed.get(column.name, column) for column in table.columns]
        copied = sa.select(*columns)
        if table is not samples:
            copied = copied.where(table.c.id <= (first if table is runs else second))
        else:
            copied = copied.where(samples.c.series_id <= second)
        connection.execute(table.insert().from_select([column.name for column in table.columns], copied))


def opened(server, page):
    """Milliseconds by the clock and of the server's processor until a page is whole, and bytes sent."""
    with Session(server.address, OTHER, server.process) as session:
        cost = session.go(page)
    return cost.wait_ms, cost.all_ms, cost.sent_bytes


def main():
    """Fill a store unless it is there, open each page a few times, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large")
    parser.add_argument("--runs", type=int, default=20_000, help="of a hundred samples each")
    parser.add_argument("--data", type=Path, help="folder of a store that is filled once and kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = options.data or Path(folder)
        data.mkdir(parents=True, exist_ok=True)
        filled(data / "wirespeed.db", options.runs)
        with servers.application(data=data) as server:
            print("| page | ms | ms of processor | kB sent |\n|---|---|---|---|")
            for page in PAGES:
                rows = [opened(server, page) for _ in range(REPEATS)]
                wait, processor, sent = (statistics.median(part) for part in zip(*rows, strict=True))
                print(f"| {page or 'home'} | {wait:.0f} | {processor:.0f} | {sent / 1e3:.0f} |", flush=True)


if __name__ == "__main__":
    main()
