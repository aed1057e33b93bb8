"""The figures every answer about a collective has: its time with a band, four parts and wire bytes."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Figure = TypeVar("Figure")
"""A float, or an array with one entry a size (or a row)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostFigures(Generic[Figure]):
    """
    Seconds of a collective; launch + latency + transfer + reduction is the time.

    Attributes:
        low_s, high_s: Prediction interval, 10th and 90th percentile.
        launch_s: Kernel launch and start of the operation, whatever its size.
        latency_s: Steps times the latency of a step.
        transfer_s: Bytes on the slowest wire over its rate.
        reduction_s: Arithmetic and local copies that no transfer hides.
        wire_bytes: What each GPU sends (or receives, if more), on all its links together.
    """

    time_s: Figure
    low_s: Figure
    high_s: Figure
    launch_s: Figure
    latency_s: Figure
    transfer_s: Figure
    reduction_s: Figure
    wire_bytes: Figure


FIGURES = ("time_s", "low_s", "high_s", "launch_s", "latency_s", "transfer_s", "reduction_s", "wire_bytes")
"""The names of those columns, in their order."""
