"""`python -m tests.bench.cpu [PAGE ...] [--edits N]`: processor time of the server for an edit, by page."""

import argparse
import statistics

from tests.bench.cpu.session import Session
from tests.bench.fields import BLANK, PAGES
from tests.bench.ui import servers

WARM_UP = 2


def edits(server, field, count):
    """What the page costs at first, and edits of a field once two have warmed up."""
    with Session(server.address, field.page, server.process) as session:
        costs = [session.edit(field.key, field.value(number)) for number in range(count + WARM_UP)]
    return session.first_ms, costs[WARM_UP:]


def report(pages=(), count=9):
    """Print medians: milliseconds to the headline and to the end, kB sent."""
    print(
        f"{'page':22} {'headline':>9} {'all':>7} {'first':>7}  CPU ms of the server for an edit and the first page;  kB sent",
        flush=True,
    )
    for script, fields in ((servers.blank, (BLANK,)), (servers.application, PAGES)):
        with script() as server:
            for field in fields:
                if pages and field.page not in pages and field is not BLANK:
                    continue
                first, costs = edits(server, field, count)
                headline, total, sent, _ = (statistics.median(part) for part in zip(*costs, strict=True))
                print(
                    f"{field.page or 'blank page':22} {headline:9.0f} {total:7.0f} {first:7.0f} {sent / 1e3:7.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cpu")
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--edits", type=int, default=9)
    options = parser.parse_args()
    report(options.pages, options.edits)
