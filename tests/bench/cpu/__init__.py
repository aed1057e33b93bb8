"""Processor time that the server spends on an edit, without a browser."""
