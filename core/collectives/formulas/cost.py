"""Cost: the seconds of one collective, split by cause and summed late."""

from dataclasses import dataclass

import numpy as np

from core.checks import Floats


@dataclass(frozen=True, slots=True)
class Cost:
    """
    Seconds by cause, each a scalar or an array over sizes.

    Attributes:
        launch_s: Starting the operation, whatever its size.
        latency_s: Steps times the latency of a step.
        transfer_s: Bytes on the slowest wire over its rate.
        reduction_s: Arithmetic that no transfer hides.
    """

    launch_s: Floats
    latency_s: Floats
    transfer_s: Floats
    reduction_s: Floats

    @property
    def total_s(self) -> Floats:
        """All four parts."""
        return self.launch_s + self.latency_s + self.transfer_s + self.reduction_s

    def __add__(self, other: "Cost") -> "Cost":
        """One after the other."""
        return Cost(
            self.launch_s + other.launch_s,
            self.latency_s + other.latency_s,
            self.transfer_s + other.transfer_s,
            self.reduction_s + other.reduction_s,
        )


def cost(
    latency_s: Floats | float, transfer_s: Floats | float, *, size_bytes: Floats, ranks: Floats | float
) -> Cost:
    """
    A cost of latency and transfer; zero bytes cost zero and so does a single rank.

    Every part gets the shape that sizes and ranks make together.
    """
    real = (size_bytes > 0) & (np.asarray(ranks) > 1)
    latency = np.where(real, latency_s, 0.0)
    zero = np.zeros_like(latency)
    return Cost(zero, latency, np.where(real, transfer_s, 0.0), zero)
