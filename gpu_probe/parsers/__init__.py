"""Readers of what the tools print: any file in, a list of runs out; no torch."""

from gpu_probe.parsers.detect import PARSERS, read
from gpu_probe.parsers.problem import ParseError

__all__ = ["PARSERS", "ParseError", "read"]
