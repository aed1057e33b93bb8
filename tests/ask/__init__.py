"""The calculators for other programs, in process, over HTTP and as MCP tools."""
