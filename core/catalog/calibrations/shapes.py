"""The shapes of calibrated constants; times in seconds, rates in bytes/s per GPU and one way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a set of constants comes from: measured sites, rows, spread of the fit, sources."""

    sites: tuple[str, ...]
    rows: int
    median_error: float
    sources: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Protocol:
    """One NCCL protocol on a step: what a step costs at least, and its share of the link's rate."""

    step_s: float
    rate_share: float


@dataclass(frozen=True, slots=True)
class RingSet:
    """The ring inside one domain for one generation: a launch and a step per protocol."""

    name: str
    launch_s: float
    protocols: tuple[tuple[str, Protocol], ...]
    local_share: float
    provenance: Provenance
