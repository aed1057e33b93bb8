"""An MCP server with one tool a calculator: the same inputs and answers as over HTTP and in the shell."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from core.shell import call
from core.shell.call import FieldError
from core.version import VERSION
from db.room import RefusedError
from pages.http.ask.workers import TimeLimitError

Calculate = Callable[[str, Mapping[str, Any]], Awaitable[Any]]
Admit = Callable[[Any], None]

INSTRUCTIONS = (
    "Wirespeed's calculators: what a GPU interconnect costs a model. Values are SI (_s, _bytes, "
    "_bytes_per_s); bandwidth is per GPU and unidirectional. Quote low_s and high_s as the interval, `basis` as "
    "where the rates come from (calibrated, spec, fitted, extrapolated), and `sources` and `warnings` where "
    "they stand. `systems` lists the systems and links; a field may be left out for its default."
)
READ_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def server(calculate: Calculate, admit: Admit | None = None) -> Server[Any]:
    """
    The server.

    Args:
        calculate: Answers a calculator by name and inputs, as ``Workers.answer``.
        admit: Called with the HTTP request of each call of a tool; RefusedError refuses it.
    """

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools())

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        name = params.name.replace("_", "-")
        if name not in call.names():
            raise MCPError(types.INVALID_PARAMS, f"no tool {params.name[:80]!r}")
        try:
            if admit is not None:
                admit(context.request)
            answer = await calculate(name, params.arguments or {})
        except (FieldError, TimeLimitError, RefusedError) as problem:
            return types.CallToolResult(content=[types.TextContent(text=str(problem))], is_error=True)
        return types.CallToolResult(
            content=[types.TextContent(text=json.dumps(answer, ensure_ascii=False))],
            structured_content=answer,
        )

    return Server(
        "wirespeed",
        version=VERSION,
        title="Wirespeed",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def tools() -> list[types.Tool]:
    """One tool a calculator; names with ``_`` for ``-``."""
    return [
        types.Tool(
            name=name.replace("-", "_"),
            description=call.sentence(name),
            input_schema=call.inputs(name),
            annotations=READ_ONLY,
        )
        for name in call.names()
    ]
