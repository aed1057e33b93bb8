"""The calculators as MCP tools: the SDK's own client over both transports."""

import json
import os
import sys
from pathlib import Path

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.shell import call
from db.room import Room
from pages.http.ask.routes import Rate
from pages.http.ask.workers import Workers

ROOT = Path(__file__).resolve().parents[2]
VALUES = {"system": "dgx-h100", "size": "64MiB"}


@pytest.fixture(params=["stdio", "http"])
def place(request):
    """Where the client connects: a process of its own, or the real server."""
    if request.param == "stdio":
        from mcp import StdioServerParameters  # costs seconds: only the process that takes this test pays

        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return StdioServerParameters(
            command=sys.executable, args=["-m", "pages.mcp"], cwd=ROOT, env=environment
        )
    return f"{request.getfixturevalue('server').base}/mcp"


def test_an_assistant_gets_our_numbers_with_interval_basis_and_sources(place):
    """The tools are the calculators; an answer is the shell's, and a wrong field comes back as an error to mend."""
    from mcp import Client

    async def visit():
        async with Client(place, read_timeout_seconds=120) as client:
            listed = (await client.list_tools()).tools
            answer = await client.call_tool("collective", VALUES)
            refused = await client.call_tool("gradient_sync", {"gpuz": 7e9})
        return listed, answer, refused

    listed, answer, refused = anyio.run(visit)

    assert [tool.name for tool in listed] == [name.replace("-", "_") for name in call.names()]
    assert all(tool.description and tool.annotations.read_only_hint for tool in listed)
    assert {tool.name: tool.input_schema for tool in listed}["tp"] == call.inputs("tp")
    assert answer.structured_content == call.answer("collective", VALUES)
    assert json.loads(answer.content[0].text) == answer.structured_content
    assert {"time_s", "low_s", "high_s", "basis", "sources"} <= set(answer.structured_content)
    assert refused.is_error
    assert refused.content[0].text.startswith("gpuz: an unknown field")


def test_no_stream_is_opened_that_says_nothing(server):
    """Nothing is ever sent over the stream of a GET: it is refused at once, as many of them would stay open."""
    with httpx.stream(
        "GET", f"{server.base}/mcp", headers={"accept": "text/event-stream"}, timeout=60
    ) as answer:
        assert answer.status_code == 405


def test_tools_wait_for_room_as_uploads_do():
    """A question whose body finds no room is 503 with the seconds to wait; what it says of its length is not believed."""
    from pages.mcp.http import routes  # costs seconds, as above

    room = Room(1000)
    served = TestClient(Starlette(routes=routes(Workers(), Rate(60), room)))
    answers = [
        served.post("/mcp", content=b"x" * 1001),
        served.post("/mcp", content=iter([b"x"])),
        served.post("/mcp", content=b"x", headers={"content-length": "9" * 5000}),
    ]

    assert [answer.status_code for answer in answers] == [503] * 3
    assert int(answers[0].headers["retry-after"]) > 0
    assert room.held_bytes == 0
