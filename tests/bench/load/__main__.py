"""`python -m tests.bench.load`: how long 50 visitors wait who edit every 2 s while 20 programs upload."""

import argparse
import asyncio
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import httpx

from tests.bench.fields import PAGES
from tests.bench.load.pushers import LIMIT_S, pusher
from tests.bench.load.sessions import Session, Waits, visitor
from tests.bench.processes import family, processor_s, resident_bytes
from tests.bench.ui import servers

OPENED_AT_ONCE = 4
SHOWN_ERRORS = 5
SHARES = (0.5, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Load:
    """
    What is asked of a server.

    Attributes:
        sessions: Visitors, spread over the pages.
        pushers: Programs that upload.
        seconds: For how long.
        every_s: Seconds between two edits of a visitor.
        push_every_s: Seconds between two uploads of a program.
        pages: Where the visitors are.
    """

    sessions: int
    pushers: int
    seconds: float
    every_s: float
    push_every_s: float
    pages: tuple[str, ...]

    @property
    def edits(self):
        """The most that a visitor can make, a few more for the first."""
        return int(self.seconds / self.every_s) + 4


@dataclass
class Outcome:
    """What the visitors and programs met, and what it cost the server in processor seconds and memory."""

    waits: Waits = field(default_factory=Waits)
    uploads_s: list[float] = field(default_factory=list)
    took_s: float = 0.0
    server_s: float = 0.0
    client_s: float = 0.0
    before_bytes: int = 0
    after_bytes: int = 0


async def run(server, load):
    """Put the load on a server."""
    outcome = Outcome()
    fields = [each for each in PAGES if each.page in load.pages]
    async with AsyncExitStack() as stack:
        few = asyncio.Semaphore(OPENED_AT_ONCE)

        async def opened(number):
            session = Session(server.address, fields[number % len(fields)], number * load.edits)
            async with few:
                return await stack.enter_async_context(session)

        sessions = await asyncio.gather(*map(opened, range(load.sessions)))
        members = family(server.process)
        outcome.before_bytes = resident_bytes(members)
        start, spent, own = time.perf_counter(), processor_s(members), time.process_time()
        await _all_at_once(server, load, sessions, outcome, start + load.seconds)
        outcome.took_s = time.perf_counter() - start
        members = family(server.process)
        outcome.server_s, outcome.client_s = processor_s(members) - spent, time.process_time() - own
        outcome.after_bytes = resident_bytes(members)
    return outcome


async def _all_at_once(server, load, sessions, outcome, end):
    limits = httpx.Limits(max_connections=None)
    client = httpx.AsyncClient(base_url=server.address, timeout=LIMIT_S, limits=limits)
    async with client, asyncio.TaskGroup() as group:
        for session in sessions:
            group.create_task(visitor(session, outcome.waits, every_s=load.every_s, end=end))
        for _ in range(load.pushers):
            upload = pusher(
                client, outcome.uploads_s, outcome.waits.errors, every_s=load.push_every_s, end=end
            )
            group.create_task(upload)


def percentiles(seconds):
    """The 50th, 95th and 99th in milliseconds, and the longest."""
    ordered = sorted(seconds)
    return [1e3 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in SHARES] + [
        1e3 * ordered[-1]
    ]


def report(load, outcome, limit_ms):
    """Print what was met as a table of Markdown; True where edits stayed within the limit and nothing failed."""
    waits = outcome.waits
    rate = len(waits.end_s) / outcome.took_s
    print(f"{load.sessions} sessions that edit every {load.every_s:g} s on {', '.join(load.pages)};")
    print(f"{load.pushers} programs that upload every {load.push_every_s:g} s; {outcome.took_s:.0f} s\n")
    print("| | number | p50 ms | p95 ms | p99 ms | longest ms |\n|---|---|---|---|---|---|")
    for name, seconds in (
        ("edit to headline", waits.headline_s),
        ("edit to end", waits.end_s),
        ("upload", outcome.uploads_s),
    ):
        if seconds:
            figures = " | ".join(f"{figure:.0f}" for figure in percentiles(seconds))
            print(f"| {name} | {len(seconds)} | {figures} |")
    worst, ends = (
        percentiles(seconds)[1] if seconds else float("inf") for seconds in (waits.headline_s, waits.end_s)
    )
    good = worst <= limit_ms and not waits.errors
    mib = 2**20
    print(
        f"\n{rate:.1f} edits a second; server {1e3 * outcome.server_s / max(1, len(waits.end_s)):.0f} ms of "
        f"processor time an edit with its share of uploads, {outcome.server_s / outcome.took_s:.2f} cores, "
        f"this program {outcome.client_s / outcome.took_s:.2f}; memory {outcome.before_bytes / mib:.0f} -> "
        f"{outcome.after_bytes / mib:.0f} MiB; {len(waits.errors)} errors"
    )
    for problem in waits.errors[:SHOWN_ERRORS]:
        print(f"  {problem}")
    print(f"p95 of edit to end {ends:.0f} ms")
    print(
        f"p95 of edit to headline {worst:.0f} ms, wanted at most {limit_ms:.0f}: {'met' if good else 'NOT met'}"
    )
    return good


def main():
    """Start a server, put the load on it, print the table; the exit status says whether the target was met."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load")
    parser.add_argument("pages", nargs="*", help="names in the address; all calculators where none is named")
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--pushers", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two edits of a session")
    parser.add_argument("--push-every", type=float, default=2.0)
    parser.add_argument("--workers", type=int, default=2, help="processes that serve: WIRESPEED_WORKERS")
    parser.add_argument("--limit-ms", type=float, default=1500.0)
    options = parser.parse_args()
    pages = tuple(options.pages) or tuple(each.page for each in PAGES)
    load = Load(options.sessions, options.pushers, options.seconds, options.every, options.push_every, pages)
    with servers.application(options.workers) as server:
        outcome = asyncio.run(run(server, load))
    return 0 if report(load, outcome, options.limit_ms) else 1


if __name__ == "__main__":
    sys.exit(main())
