"""The price of a collective over many sizes, one array a figure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.formulas import algbw_bytes_per_s, busbw_bytes_per_s
from core.collectives.formulas.columns import CostFigures
from core.provenance import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedSizes(CostFigures[Floats]):
    """
    What sending messages of these sizes costs.

    Attributes:
        low_s, high_s: The prediction interval; equal to ``time_s`` where rates know none.
        algorithms: ``ring/LL128`` or ``ring`` for every size; empty where nothing moves.
        basis: What the figures rest on.
    """

    size_bytes: Floats
    algorithms: NDArray[np.str_]
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep(PricedSizes):
    """
    What a collective costs over sizes.

    Attributes:
        runner_ups, runner_up_s: The second cheapest and its time; empty and NaN where there is none.
        rates: The rates that answered, which may be the datasheet's where the named ones could not.
    """

    collective: str
    ranks: int
    runner_ups: NDArray[np.str_]
    runner_up_s: Floats
    rates: str

    @property
    def algbw_bytes_per_s(self) -> Floats:
        """Size over time; NaN where no time passes."""
        return algbw_bytes_per_s(self.size_bytes, self.time_s)

    @property
    def busbw_bytes_per_s(self) -> Floats:
        """As nccl-tests prints it; NaN with one rank or where no time passes."""
        return busbw_bytes_per_s(self.collective, self.ranks, self.size_bytes, self.time_s)
