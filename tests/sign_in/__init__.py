"""Signing in: whom a server lets in, as whom, and what a forger tries."""
