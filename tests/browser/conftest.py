"""One server and one browser for all browser tests."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.browser.visitor import Visitor

ROOT = Path(__file__).resolve().parents[2]
START_LIMIT_S = 60
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
NAMES = (
    "chromium",
    "chromium-headless-shell",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)


def pytest_collection_modifyitems(items):
    """Everything in this folder drives a browser."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


def free_port():
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serving(folder):
    """The real server, as `make run` starts it, on a port and a data folder of its own."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    command += ["--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none"]
    environment = {**os.environ, "WIRESPEED_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    environment.pop("WIRESPEED_DATABASE_URL", None)
    log = folder / "server.log"
    with log.open("wb") as sink:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=sink, stderr=sink)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(server, address, log)
        yield address
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(10)
        if server.poll() is None:
            server.kill()
            server.wait(10)


def _wait(server, address, log):
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline and server.poll() is None:
        if _healthy(address):
            return
        time.sleep(0.1)
    pytest.fail(f"the server did not start: {log.read_text(errors='replace')[-800:]}", pytrace=False)


def _healthy(address):
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as reply:  # noqa: S310
            return reply.status == 200
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """The address of the shared server."""
    with serving(tmp_path_factory.mktemp("shared-server")) as address:
        yield address


@pytest.fixture
def fresh_server(tmp_path):
    """The address of a server that has never answered a session."""
    with serving(tmp_path) as address:
        yield address


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
            running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        except Error as problem:
            reason = str(problem).splitlines()[0]
            pytest.exit(f"the browser {path} does not start: {reason}", returncode=1)
        yield running
        running.close()


@pytest.fixture(scope="package")
def context(browser):
    """One profile for all windows: the pages' code is fetched and compiled once."""
    shared = browser.new_context(reduced_motion="reduce")
    shared.set_default_timeout(30_000)
    yield shared
    shared.close()


@pytest.fixture
def visit(context, server):
    """Open windows at the shared server, or at another; all are checked and closed at the end."""
    open_windows = []

    def opened(path="", *, at=server, **options):
        visitor = Visitor(context, at, **options)
        open_windows.append(visitor)
        visitor.open(path)
        return visitor

    yield opened
    for visitor in open_windows:
        visitor.leave()
