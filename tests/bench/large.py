"""`python -m tests.bench.large [--runs N] [--data FOLDER]`: how long pages take to open with two million samples."""

import argparse
import statistics
import tempfile
from pathlib import Path

from db.store import Store
from tests.bench.cpu.session import Session
from tests.bench.store import fill
from tests.bench.ui import servers

PAGES = ("", "measurements", "compare", "check", "my_cluster", "topology")
REPEATS = 3
MOST_MS = 1000
OTHER = "kv_transfer"


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
        store = Store(f"sqlite:///{data}/wirespeed.db")
        store.prepare()
        if store.run_count() < options.runs:
            print(f"{options.runs:,} runs written in {fill(store, options.runs):.0f} s", flush=True)
        store.close()
        with servers.application(data=data) as server:
            print("| page | ms | ms of processor | kB sent |\n|---|---|---|---|")
            for page in PAGES:
                rows = [opened(server, page) for _ in range(REPEATS)]
                wait, processor, sent = (statistics.median(part) for part in zip(*rows, strict=True))
                print(f"| {page or 'home'} | {wait:.0f} | {processor:.0f} | {sent / 1e3:.0f} |", flush=True)


if __name__ == "__main__":
    main()
