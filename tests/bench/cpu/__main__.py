"""`python -m tests.bench.cpu [PAGE ...] [--edits N]`: processor time of the server for an edit, by page."""

import argparse
import statistics
from dataclasses import dataclass

from tests.bench.cpu.session import Session
from tests.bench.ui import servers

WARM_UP = 2


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a page, by its key, and what is typed into it: nothing twice, so that no answer is remembered."""

    page: str
    key: str
    values: tuple[float | str, ...]


GPUS = tuple(8.0 * domains for domains in (8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256))
CONTEXTS = tuple(1024.0 * count for count in range(5, 30))
BLANK = Field("", "number", tuple(map(float, range(9, 34))))
PAGES = (
    Field("collectives", "size", tuple(f"{count} MiB" for count in range(5, 30))),
    Field("bandwidth_hierarchy", "context", CONTEXTS),
    Field("tensor_parallel", "tokens", tuple(map(float, range(17, 42)))),
    Field("gradient_sync", "domains", tuple(map(float, range(2, 27)))),
    Field("training", "batch", tuple(map(float, range(256, 1000, 32)))),
    Field("nvl72", "requests", tuple(map(float, range(256, 1000, 32)))),
    Field("kv_transfer", "context", CONTEXTS),
    Field("layouts", "gpus", GPUS),
    Field("cost", "gpus", GPUS),
)


def edits(server, field, count):
    """What the page costs at first, and edits of a field once two have warmed up."""
    with Session(server.address, field.page, server.process) as session:
        return session.first_ms, [session.edit(field.key, value) for value in field.values[: count + WARM_UP]][WARM_UP:]


def report(pages=(), count=9):
    """Print medians: milliseconds to the headline and to the end, kB sent."""
    print(f"{'page':22} {'headline':>9} {'all':>7} {'first':>7}  CPU ms of the server for an edit and the first page;  kB sent", flush=True)
    for script, fields in ((servers.blank, (BLANK,)), (servers.application, PAGES)):
        with script() as server:
            for field in fields:
                if pages and field.page not in pages and field is not BLANK:
                    continue
                first, costs = edits(server, field, count)
                headline, total, sent = (statistics.median(part) for part in zip(*costs, strict=True))
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
