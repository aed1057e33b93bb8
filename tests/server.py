"""The web process as people start it, on a free port with a data folder of its own."""

import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[1]
START_S = 120
"""Alone it takes two or three; the bound leaves room for a machine busy with other tests."""
ANSWER_S = 120
STOP_S = 20
CERTIFICATES = ssl.create_default_context()
"""Read once: a request that reads them itself, even over plain HTTP, takes 25 ms of processor time in place of one."""
TRIES = 3
TAKEN = ("not available", "in use")
"""What a server says of a port that somebody took between the search for it and the start."""
OURS = ("HOST", "PORT", "WIRESPEED_API_TOKEN", "WIRESPEED_API_TOKEN_FILE", "WIRESPEED_DATABASE_URL")


def websocket(base, *protocols, query="", **options):
    """
    A page's channel: a busy machine may open it late, and may leave a ping unanswered for long.

    What is not read is kept: behind a full queue the end of the channel would be waited for ten seconds.
    """
    from tests.bench.window import PROTOCOL, STREAM  # as a browser asks; half a second of Streamlit

    usual = {"max_size": None, "max_queue": None, "ping_interval": None}
    address = f"{base.replace('http', 'ws')}{STREAM}{query}"
    protocols = [PROTOCOL, *protocols]
    return connect(address, subprotocols=protocols, open_timeout=ANSWER_S, **usual | options)


def free_port():
    """A port that nobody listens on now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Server:
    """app.py in a process of its own, by `streamlit run` as in `make run`, or by `python`."""

    def __init__(self, folder, *, by="streamlit", **settings):
        self.output = folder / "server.log"
        self._program = ROOT
        self._by = by
        self._listen_at(free_port())
        inherited = {name: value for name, value in os.environ.items() if name not in OURS}
        here = {"WIRESPEED_DATA_DIR": str(folder / "data"), "PYTHONPATH": str(ROOT)}
        self._environment = inherited | here | settings

    def set(self, settings):
        """More settings, before it starts: some name its own address."""
        self._environment |= settings

    def __enter__(self):
        for _ in range(TRIES):
            self._start()
            if self._answers():
                return self
            self.__exit__()
            if not any(word in self.output.read_text(errors="replace") for word in TAKEN):
                break
            self._listen_at(free_port())
        pytest.fail(f"the server did not come up:\n{self.output.read_text(errors='replace')}", pytrace=False)

    def request(self, method, path, **options):
        """A request that a busy machine may answer late."""
        address = f"{self.base}{path}"
        return httpx.request(method, address, timeout=ANSWER_S, verify=CERTIFICATES, **options)

    def get(self, path, **options):
        """The same, of a page or a document."""
        return self.request("GET", path, **options)

    def post(self, path, **options):
        """The same, with a body."""
        return self.request("POST", path, **options)

    def websocket(self, *protocols, query="", **options):
        """The channel of a page."""
        return websocket(self.base, *protocols, query=query, **options)

    def _listen_at(self, port):
        self.port = port
        self.base = f"http://127.0.0.1:{port}"

    def _start(self):
        command, environment = [sys.executable, "app.py"], self._environment | {"PORT": str(self.port)}
        # some settings name the server's own address
        environment = {name: value.replace("{base}", self.base) for name, value in environment.items()}
        if self._by == "streamlit":
            command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                command, cwd=self._program, env=environment, stdout=output, stderr=subprocess.STDOUT
            )

    def _answers(self):
        end = time.monotonic() + START_S
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return httpx.get(f"{self.base}/healthz", timeout=START_S, verify=CERTIFICATES).is_success
            except httpx.TransportError:
                time.sleep(0.05)
        return False

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
