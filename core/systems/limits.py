"""Limits of what a custom system may state, and the id made from its name."""

import re

from core.checks import number
from core.provenance import Source

YOURS = Source("yours", "What you typed in", "this page or your system file")
"""Source of every figure of a custom GPU or system."""

MOST_GPUS = 4096
MOST_NICS = 100_000
MOST_DOMAINS = 1_000_000
MOST_SHARED = 1e6
LONGEST_S = 1e3
_FASTEST_BYTES_PER_S = 1e18


def rate_of(name: str, value: object) -> float:
    """A rate that arithmetic survives: from 1 byte/s to 1e18."""
    return number(name, value, least=1, most=_FASTEST_BYTES_PER_S)


def latency_of(name: str, value: object) -> float:
    """A latency from 0 to 1000 s."""
    return number(name, value, least=0, most=LONGEST_S)


def slug(name: str) -> str:
    """An id from a name: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "yours"
