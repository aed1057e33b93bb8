"""The hop: all that an algorithm may know about hardware."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hop:
    """All that an algorithm may know about hardware: seconds a step, unidirectional bytes/s per GPU."""

    latency_s: float
    bytes_per_s: float
