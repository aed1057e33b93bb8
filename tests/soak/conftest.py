"""Campaigns of minutes: each prints its figures, and WIRESPEED_SOAK=10 makes each ten times as long."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.soak.postgres import Postgres
from tests.soak.team import Supervised, settled

ENGINES = ("sqlite", "postgresql")


def pytest_collection_modifyitems(items):
    """Everything in this folder takes minutes."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def length():
    """How many times as long as usual a campaign is to be."""
    return int(os.environ.get("WIRESPEED_SOAK") or 1)


@pytest.fixture
def figures(request):
    """Say a figure of this campaign; all are printed when the tests are done."""

    def say(text):
        request.node.user_properties.append(("figures", text))

    return say


@pytest.fixture(scope="session")
def own_postgres():
    """A PostgreSQL that may be killed: as installed, every commit synced to the disk."""
    with tempfile.TemporaryDirectory(prefix="wirespeed-soak-") as folder:
        server = Postgres(Path(folder))
        yield server
        server.remove()


@pytest.fixture
def postgres(own_postgres):
    """The same, with an empty database of this test and running again at its end."""
    own_postgres.create()
    yield own_postgres
    own_postgres.start()
    own_postgres.drop()


@pytest.fixture(params=ENGINES)
def engine(request):
    """The settings of a server on each engine."""
    if request.param == "sqlite":
        return {}
    return {"WIRESPEED_DATABASE_URL": request.getfixturevalue("postgres").url}


@pytest.fixture
def serve(tmp_path):
    """Start servers that are started again whenever they end."""
    running = []

    def serving(*, settled_at=200, **settings):
        server = Supervised(tmp_path, **settings)
        running.append(server)
        server.start()
        settled(server, settled_at)
        return server

    yield serving
    for server in running:
        server.stop()


@pytest.fixture
def volume():
    """
    A disk of sixteen megabytes; skipped where this user may mount none.

    Not below pytest's folders: it is left behind where a campaign is killed, and no later test could remove it.
    """
    place = Path(tempfile.mkdtemp(prefix="wirespeed-volume-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place], check=False, capture_output=True
    )
    if mounted.returncode:
        place.rmdir()
        pytest.skip("only root may mount a small disk")
    yield place
    subprocess.run(["umount", "-l", place], check=True)
    place.rmdir()
