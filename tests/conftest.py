"""What all tests share: repeatable examples, and the order in which processes take them."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
TOGETHER = ("browser", "postgres")
"""Markers of tests that need what is started once a session: they stay in one process."""
SHARED = "plain_server"
"""A fixture of which the same holds."""
WALKS = ("test_pages.py", "test_history.py")
"""Half of what a browser does: a process and a browser of its own."""
LONGEST_FIRST = (
    *(
        "browser",
        "postgres",
        SHARED,
        "docs/test_site.py",
        "gpu_probe/test_probe_run.py",
        "gpu_probe/test_end_to_end.py",
    ),
    *("ask", "test_app.py", "http/test_gate.py", "gpu_probe", "pages", "db", "docs", "shell"),
)
"""Groups, files and folders in the order in which they are taken; what is not named here is short."""

LONGEST_NAME = 200
"""Characters of a value that names its test."""

settings.register_profile(
    "usual", deadline=None, max_examples=15, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("mutants", parent=settings.get_profile("usual"), max_examples=5)
settings.register_profile(
    "soak",
    parent=settings.get_profile("usual"),
    max_examples=int(os.environ.get("WIRESPEED_LAWS") or 1000),
    derandomize=False,
)
settings.load_profile(os.environ.get("WIRESPEED_EXAMPLES") or "usual")


GARBAGE = (50_000, 20, 20)
"""As on the server objects are collected when there are many; a walk through all that is imported costs a fifth of a second."""
gc.set_threshold(*GARBAGE)


@pytest.fixture(scope="session")
def prepared_file(tmp_path_factory):
    """An empty store on SQLite with the newest schema, to be copied: migrations take a tenth of a second."""
    from db.store import Store  # the models' tests do without a database

    path = tmp_path_factory.mktemp("prepared") / "wirespeed.db"
    store = Store(f"sqlite:///{path}")
    store.prepare()
    store.close()
    return path


@pytest.fixture(scope="session")
def plain_server(tmp_path_factory):
    """A server without a setting that several files ask: a test knows its own runs from those of others."""
    from tests.server import Server  # the models' tests do without a web client

    with Server(tmp_path_factory.mktemp("plain")) as running:
        yield running


def pytest_make_parametrize_id(val, argname):
    """Bytes and whole files name no test: packed ones hold the time of the clock, which processes read apart."""
    whole = isinstance(val, bytes) or (isinstance(val, str) and len(val) > LONGEST_NAME)
    return argname if whole else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """A file is taken by one process, so that it starts its servers once; the longest come first."""
    places = {item: _place(item) for item in items}
    for item, place in places.items():
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(place))
    items.sort(key=lambda item: _rank(places[item]))


def pytest_collection_finish():
    """What has been imported and collected stays: no collection of garbage walks through it again, one for each run of a page."""
    gc.collect()
    gc.freeze()


def _place(item):
    """The group of a test: its marker's, else its file."""
    marked = next((name for name in TOGETHER if item.get_closest_marker(name)), None)
    if marked == "browser" and item.path.name in WALKS:
        return "browser walks"
    if SHARED in getattr(item, "fixturenames", ()):
        return SHARED
    return marked or item.path.relative_to(TESTS).as_posix()


def _rank(place):
    """The place of a group among those that are named."""
    named = (rank for rank, name in enumerate(LONGEST_FIRST) if place.startswith(name))
    return next(named, len(LONGEST_FIRST))


def pytest_terminal_summary(terminalreporter):
    """What campaigns measured, a line each."""
    reports = [
        report
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
    ]
    lines = [
        f"{report.nodeid.split('::')[-1]}: {text}"
        for report in reports
        for name, text in report.user_properties
        if name == "figures"
    ]
    if lines:
        terminalreporter.section("figures")
        for line in lines:
            terminalreporter.line(line)
