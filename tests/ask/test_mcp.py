"""The calculators as MCP tools: the SDK's own client over both transports."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest

from core.shell import call

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
