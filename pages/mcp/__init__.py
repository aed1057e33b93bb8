"""The calculators as tools of the Model Context Protocol, where its SDK is installed (``make mcp``)."""
