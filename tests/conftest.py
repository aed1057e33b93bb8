"""What all tests share: repeatable examples, and one process for what is started only once."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
TOGETHER = ("browser", "postgres")

settings.register_profile(
    "usual", deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", parent=settings.get_profile("usual"), derandomize=True)
settings.register_profile("soak", parent=settings.get_profile("usual"), max_examples=1000)
settings.register_profile("mutants", parent=settings.get_profile("usual"), max_examples=5, derandomize=True)
settings.load_profile(os.environ.get("WIRESPEED_EXAMPLES") or ("ci" if os.environ.get("CI") else "usual"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """One browser and one PostgreSQL serve a whole session, so their tests stay in one process."""
    for item in items:
        for name in TOGETHER:
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.xdist_group(name))


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
