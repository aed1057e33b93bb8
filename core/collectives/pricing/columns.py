"""Sweep: the answer for many sizes, one array a figure."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.formulas import algbw_bytes_per_s, busbw_bytes_per_s
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Sweep:
    """
    What a collective costs over sizes; launch + latency + transfer + reduction is the time.

    Attributes:
        low_s, high_s: The band; equal to ``time_s`` where rates know none.
        algorithms: ``ring/LL128`` or ``ring`` for every size; empty where nothing moves.
        runner_ups, runner_up_s: The second cheapest and its time; empty and NaN where there is none.
        rates: The rates that answered, which may be the datasheet's where the asked ones could not.
        basis: What the figures rest on.
    """

    collective: str
    ranks: int
    size_bytes: Floats
    time_s: Floats
    low_s: Floats
    high_s: Floats
    launch_s: Floats
    latency_s: Floats
    transfer_s: Floats
    reduction_s: Floats
    wire_bytes: Floats
    algorithms: NDArray[Any]
    runner_ups: NDArray[Any]
    runner_up_s: Floats
    rates: str
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]

    @property
    def algbw_bytes_per_s(self) -> Floats:
        """Size over time; NaN where no time passes."""
        return algbw_bytes_per_s(self.size_bytes, self.time_s)

    @property
    def busbw_bytes_per_s(self) -> Floats:
        """As nccl-tests prints it; NaN with one rank or where no time passes."""
        return busbw_bytes_per_s(self.collective, self.ranks, self.size_bytes, self.time_s)
