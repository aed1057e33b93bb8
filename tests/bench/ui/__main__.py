"""`python -m tests.bench.ui [--edits N] [--cold N] [--sessions N]`: tables of waits beside the blank page's."""

import argparse
import os
import shutil
import statistics
import time

from playwright.sync_api import sync_playwright

from tests.bench.cpu.__main__ import report as report_processor
from tests.bench.ui import servers
from tests.bench.ui.edits import edits, opened
from tests.bench.ui.fields import BLANK, COLLECTIVES, PAGES
from tests.bench.ui.sessions import together
from tests.browser.conftest import ARGUMENTS, NAMES

COLD_LIMIT_MS = 120_000


def quantile(values, share):
    """A quantile of some waits."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def line(name, waits, base=None):
    """Print median and p95 of headline and last chart, and their ratio to the yardstick."""
    texts = []
    for part in ("headline", "chart"):
        values = [getattr(wait, part) for wait in waits]
        figures = (statistics.median(values), quantile(values, 0.95))
        ratio = ""
        if base:
            yardstick = [getattr(wait, part) for wait in base]
            ratio = f" ({figures[0] / statistics.median(yardstick):.2f}, {figures[1] / quantile(yardstick, 0.95):.2f})"
        texts.append(f"{figures[0]:6.0f} {figures[1]:6.0f}{ratio:14}")
    print(f"{name:22} {texts[0]} {texts[1]}", flush=True)


def cold(browser, script, field):
    """Milliseconds from the address to the first headline and to the last chart, of a server just started."""
    with script() as server:
        time.sleep(2)
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script((servers.ROOT / "tests/bench/ui/watch.js").read_text())
        page.goto(f"{server.address}/{field.path}", wait_until="commit")
        page.wait_for_selector(".st-key-headline :is(h2, h4)", timeout=COLD_LIMIT_MS)
        headline = page.evaluate("performance.now()")
        page.wait_for_selector('[data-testid="stVegaLiteChart"] canvas, [data-testid="stVegaLiteChart"] svg')
        page.wait_for_timeout(1500)
        chart = page.evaluate("watched.chart")
        context.close()
    return headline, chart


def report_edits(browser, count):
    """Edits of Collectives and the other pages, alternating with the blank page."""
    print(f"{'page':22} headline p50, p95 (ratios)   last chart p50, p95 (ratios), ms")
    with servers.blank() as blank, servers.application() as ours:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        yardstick, windows = opened(context, blank, BLANK), opened(context, ours, COLLECTIVES)
        base, waits = [], []
        for _ in range(4):
            base += edits(yardstick, BLANK, count // 4)
            waits += edits(windows, COLLECTIVES, count // 4)
        line("blank page", base)
        line("collectives", waits, base)
        windows.close()
        for field in PAGES:
            page = opened(context, ours, field)
            line(field.path, edits(page, field, max(4, count // 3)), base)
            page.close()
        context.close()


def report_cold(browser, count):
    """First page of a fresh server."""
    rows = [
        (cold(browser, servers.blank, BLANK), cold(browser, servers.application, COLLECTIVES))
        for _ in range(count)
    ]
    for part, name in enumerate(("first headline", "last chart")):
        base = statistics.median(row[0][part] for row in rows)
        ours = statistics.median(row[1][part] for row in rows)
        print(f"cold {name:17} {ours:6.0f} ms, blank {base:6.0f} ms, ratio {ours / base:.2f}", flush=True)


def report_sessions(browser, sessions):
    """Sessions that edit in the same instant."""
    for name, script, field in (
        ("blank page", servers.blank, BLANK),
        ("collectives", servers.application, COLLECTIVES),
    ):
        with script() as server:
            context = browser.new_context()
            waits = together(context, server, field, sessions, 4)
            context.close()
        print(
            f"{sessions} sessions at once, {name:12} p50 {statistics.median(waits):6.0f} p95 {quantile(waits, 0.95):6.0f} ms"
        )


def main():
    """Print all tables, that of processor time first."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.ui")
    parser.add_argument("--edits", type=int, default=24)
    parser.add_argument("--cold", type=int, default=3)
    parser.add_argument("--sessions", type=int, default=20)
    options = parser.parse_args()
    report_processor()
    with sync_playwright() as playwright:
        executable = os.environ.get("WIRESPEED_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        if options.edits:
            report_edits(browser, options.edits)
        if options.cold:
            report_cold(browser, options.cold)
        if options.sessions:
            report_sessions(browser, options.sessions)
        browser.close()


if __name__ == "__main__":
    main()
