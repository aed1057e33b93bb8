"""`python -m tests.bench.ui [--edits N] [--cold N] [--sessions N]`: waits beside the blank page's, with targets."""

import argparse
import os
import shutil
import statistics
import sys
import time
from contextlib import contextmanager
from math import ceil

from playwright.sync_api import Error, sync_playwright

from tests.bench.ui import servers
from tests.bench.ui.edits import WATCH, edit, edits, opened, shown
from tests.bench.ui.fields import BLANK, COLLECTIVES, LAYOUTS, PAGES
from tests.bench.ui.sessions import together
from tests.bench.ui.verdicts import (
    COLD_RATIO,
    HEAD,
    LAYOUTS_MS,
    PAGE_MS,
    RATIO,
    SESSIONS_MS,
    Row,
    failed,
    quantile,
    rows,
    show,
)
from tests.browser.conftest import ARGUMENTS, NAMES

COLD_LIMIT_MS = 120_000
PARTS = 4
ROUNDS = 4
FEW_GPUS = "64"


def cold(browser, script, field):
    """Milliseconds from the address to the first headline and to the last chart, of a server just started."""
    with script() as server:
        time.sleep(2)
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script(WATCH)
        page.goto(f"{server.address}/{field.path}", wait_until="commit")
        page.wait_for_selector(".st-key-headline :is(h2, h4)", timeout=COLD_LIMIT_MS)
        headline = page.evaluate("performance.now()")
        page.wait_for_selector('[data-testid="stVegaLiteChart"] canvas, [data-testid="stVegaLiteChart"] svg')
        page.wait_for_timeout(1500)
        chart = page.evaluate("watched.chart")
        context.close()
    return headline, chart


@contextmanager
def window(context, server, field):
    """A window at the field that is closed behind us."""
    page = opened(context, server, field)
    try:
        yield page
    finally:
        page.close()


def tried(what, measure, *arguments):
    """The rows of a measurement; where the page does not do what was waited for, it is said and the run goes on."""
    try:
        return measure(*arguments)
    except (Error, TimeoutError) as problem:
        print(f"{what}: {str(problem).splitlines()[0]}", file=sys.stderr, flush=True)
        return show([failed(what)])


def of_edits(browser, count):
    """Edits of Collectives alternate with those of the blank page; then the other pages and layouts."""
    with servers.blank() as blank, servers.application() as ours:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        base = []
        made = tried("Collectives", of_collectives, context, blank, ours, base, count)
        for field in PAGES:
            made += tried(field.path, of_page, context, ours, field, base, count)
        made += tried("Layouts", of_layouts, context, ours)
        context.close()
    return made


def of_collectives(context, blank, ours, base, count):
    """Edits of Collectives; those of the blank page in between are added to ``base``."""
    waits = []
    with window(context, blank, BLANK) as yardstick, window(context, ours, COLLECTIVES) as page:
        for _ in range(min(PARTS, count)):
            base += edits(yardstick, BLANK, ceil(count / PARTS))
            waits += edits(page, COLLECTIVES, ceil(count / PARTS))
    return show(rows("Collectives", waits, base, most_ratio=RATIO))


def of_page(context, server, field, base, count):
    """Edits of another page."""
    with window(context, server, field) as page:
        waits = edits(page, field, max(PARTS, count // 3))
    made = rows(field.path, waits, base, most_ms=PAGE_MS, parts=("headline",))
    return show([*made, *rows(field.path, waits, base, parts=("chart",))])


def of_layouts(context, server):
    """Layouts of 64 GPUs, then of more: the headline and the whole page."""
    made = []
    with window(context, server, LAYOUTS) as page:
        for gpus, most_ms in LAYOUTS_MS.items():
            if shown(page, LAYOUTS) != FEW_GPUS:
                edit(page, LAYOUTS, FEW_GPUS)
            wait = edit(page, LAYOUTS, gpus)
            made += show([Row(f"Layouts, {FEW_GPUS} -> {gpus} GPUs: headline", wait.headline, None, most_ms)])
            made += show([Row(f"Layouts, {FEW_GPUS} -> {gpus} GPUs: last chart", wait.chart, None, most_ms)])
    return made


def of_cold(browser, count):
    """First page of a fresh server."""
    pairs = [
        (cold(browser, servers.blank, BLANK), cold(browser, servers.application, COLLECTIVES))
        for _ in range(count)
    ]
    made = []
    for part, name in enumerate(("headline", "last chart")):
        base, ours = (statistics.median(pair[side][part] for pair in pairs) for side in (0, 1))
        made.append(Row(f"first page of a fresh server: {name}", ours, base, None, COLD_RATIO))
    return show(made)


def of_sessions(browser, sessions):
    """Sessions that edit in the same instant."""
    p95 = []
    for script, field in ((servers.blank, BLANK), (servers.application, COLLECTIVES)):
        with script() as server:
            context = browser.new_context()
            p95.append(quantile(together(context, server, field, sessions, ROUNDS), 0.95))
            context.close()
    return show([Row(f"{sessions} sessions at once: headline, p95", p95[1], p95[0], SESSIONS_MS)])


def main():
    """Print the table; the exit status says whether every target was met."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.ui")
    parser.add_argument("--edits", type=int, default=24)
    parser.add_argument("--cold", type=int, default=3)
    parser.add_argument("--sessions", type=int, default=20)
    options = parser.parse_args()
    start, made = time.monotonic(), []
    print(HEAD, flush=True)
    with sync_playwright() as playwright:
        executable = os.environ.get("WIRESPEED_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        for measure, count in (
            (of_edits, options.edits),
            (of_cold, options.cold),
            (of_sessions, options.sessions),
        ):
            made += tried(measure.__doc__.rstrip("."), measure, browser, count) if count else []
        browser.close()
    missed = sum(row.verdict in {"missed", "failed"} for row in made)
    wanted = sum(bool(row.verdict) for row in made)
    print(f"\n{wanted - missed} of {wanted} targets met, in {time.monotonic() - start:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
