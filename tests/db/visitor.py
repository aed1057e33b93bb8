"""A program that talks HTTP to routes served in this process."""

import asyncio

import httpx
import pytest
from starlette.applications import Starlette

from db.api import routes
from gpu_probe.parsers import read
from gpu_probe.parsers.trace_worker import read_trace_upload

HERE = "http://127.0.0.1:8501"
one_engine = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""For what happens before the store is asked."""


class Visitor:
    """Asks the routes of a store from a given address, on one event loop as a server has."""

    def __init__(self, store, address="127.0.0.1", *, reader=read, **options):
        served = Starlette(routes=routes(store, reader, read_trace_upload, **options))
        transport = httpx.ASGITransport(served, client=(address, 4000), raise_app_exceptions=False)
        self._loop = asyncio.Runner()
        self._client = httpx.AsyncClient(transport=transport, base_url=HERE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._loop.run(self._client.aclose())
        self._loop.close()

    def ask(self, method, path, **options):
        """Send a request and wait for its answer."""
        return self._loop.run(self._client.request(method, path, **options))

    def get(self, path, **options):
        """GET ``path``."""
        return self.ask("GET", path, **options)

    def post(self, content, headers=None, *, path="/api/v1/runs", **asked):
        """Upload; the status and the answer."""
        sent = {"content-type": "text/plain"} | (headers or {})
        answer = self.ask("POST", path, content=content, headers=sent, params=asked)
        return answer.status_code, answer.json()
