"""One real server for the tests of this folder, which may ask it as often as they like."""

from pathlib import Path

import pytest

from tests.server import Server


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What needs the server stays in one process."""
    for item in items:
        ours = Path(item.path).is_relative_to(Path(__file__).parent)
        if ours and "server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("ask"))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The server as `make run` starts it, with an empty store."""
    with Server(tmp_path_factory.mktemp("ask"), WIRESPEED_ASK_PER_MINUTE="1000000") as running:
        yield running
