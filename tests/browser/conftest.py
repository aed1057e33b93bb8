"""One server and one browser for all browser tests."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.browser.visitor import Visitor
from tests.server import Server

PATIENCE_MS = 120_000
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
TOGETHER = "--process-per-site"
"""All windows in one process: what one has compiled of the pages' code the next need not."""
SHORT_LIVED = "--js-flags=--no-turbofan --no-maglev --min-semi-space-size=64"
"""Code of a window that lives for seconds is not worth optimizing, nor its memory collecting."""
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Everything in this folder drives a browser."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """The address of the shared server."""
    with Server(tmp_path_factory.mktemp("shared-server")) as running:
        yield running.base


@pytest.fixture(scope="package")
def browser():
    """A Chromium: $WIRESPEED_BROWSER, else one on PATH, else Playwright's own."""
    wanted = os.environ.get("WIRESPEED_BROWSER")
    executable = next(filter(None, map(shutil.which, [wanted] if wanted else NAMES)), wanted)
    with sync_playwright() as playwright:
        path = executable or playwright.chromium.executable_path
        if not Path(path).exists():
            pytest.exit("no browser: install chromium or set WIRESPEED_BROWSER to one", returncode=1)
        try:
            running = playwright.chromium.launch(
                executable_path=path, args=[*ARGUMENTS, TOGETHER, SHORT_LIVED]
            )
        except Error as problem:
            reason = str(problem).splitlines()[0]
            pytest.exit(f"the browser {path} does not start: {reason}", returncode=1)
        yield running
        running.close()


@pytest.fixture(scope="package")
def context(browser, server):
    """One profile, and a window that stays open: with the last one their process would end."""
    shared = browser.new_context(reduced_motion="reduce")
    shared.set_default_timeout(PATIENCE_MS)
    shared.new_page().goto(f"{server}/healthz")
    yield shared
    shared.close()


@pytest.fixture
def visit(context, server):
    """Open windows at the shared server; all are checked and closed at the end."""
    with visits(context, server) as opened:
        yield opened


@pytest.fixture
def visit_fresh(context, tmp_path):
    """Open windows at a server of the test's own, with an empty store and no session before."""
    with Server(tmp_path) as running, visits(context, running.base) as opened:
        yield opened


@contextmanager
def visits(context, address):
    """A way to open windows, closed before their server stops: a page that has lost it says so."""
    windows = []

    def opened(path="", **options):
        visitor = Visitor(context, address, **options)
        windows.append(visitor)
        visitor.open(path)
        return visitor

    yield opened
    for visitor in windows:
        visitor.leave()
