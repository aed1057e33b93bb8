"""The application and the blank page, each as a real server on a port of its own."""

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.server import free_port

ROOT = Path(__file__).resolve().parents[3]
BLANK = Path(__file__).parent / "blank.py"
START_LIMIT_S = 60


class Server(NamedTuple):
    """A running server: its address and the id of its process."""

    address: str
    process: int


@contextmanager
def serving(script, workers=1, data=None):
    """A server that runs a script, in so many processes, until the end of the block; its data may be there already."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}"]
    command += ["--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "WIRESPEED_DATA_DIR": str(data or folder), "PYTHONPATH": str(ROOT)}
        if workers > 1:
            command = [sys.executable, str(script)]
            environment |= {"WIRESPEED_WORKERS": str(workers), "HOST": "127.0.0.1", "PORT": str(port)}
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            for worker in range(workers):
                _wait(address, worker)
            yield Server(address, server.pid)
        finally:
            server.terminate()
            server.wait(20)


def _wait(address, worker):
    health = urllib.request.Request(  # noqa: S310
        f"{address}/_stcore/health", headers={"Cookie": f"wirespeed_worker={worker}"}
    )
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(health, timeout=2):  # noqa: S310
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    message = f"no server at {address}"
    raise TimeoutError(message)


def application(workers=1, data=None):
    """The application's server."""
    return serving(ROOT / "app.py", workers, data)


def blank():
    """The yardstick's server."""
    return serving(BLANK)
