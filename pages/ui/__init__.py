"""Shared parts of the pages: inputs, tables, charts, overlay."""
