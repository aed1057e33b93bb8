"""``python -m pages.mcp``: the calculators for an assistant on this machine, over standard input and output."""

import asyncio
import importlib.util
import sys

from pages.http.ask.workers import Workers


async def serve() -> None:
    """Answer until the input ends."""
    from mcp.server.stdio import stdio_server  # noqa: PLC0415 - an optional extra

    from pages.mcp.server import server  # noqa: PLC0415

    workers = Workers(most=1)
    tools = server(workers.answer)
    try:
        async with stdio_server() as (questions, answers):
            await tools.run(questions, answers, tools.create_initialization_options())
    finally:
        workers.close()


if __name__ == "__main__":
    if importlib.util.find_spec("mcp") is None:
        sys.exit("python -m pages.mcp: the MCP SDK is not installed; `make mcp` installs it")
    asyncio.run(serve())
