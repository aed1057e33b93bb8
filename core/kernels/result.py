"""What a kernel model answers: a time, its interval and what bounds it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats


@dataclass(frozen=True, slots=True)
class KernelTime:
    """
    Seconds of one call on one GPU.

    Attributes:
        time_s: Expected.
        low_s, high_s: Interval from the 10th to the 90th percentile.
        compute_bound: Where the tensor cores take longer than the memory.
        launch_bound: Where kernel launch and set-up take more than half of the time.
        engine: Of GEMMs and routed MLPs, the engine whose own kernels of this format answer; None: those of
            all that were measured.
    """

    time_s: Floats
    low_s: Floats
    high_s: Floats
    compute_bound: NDArray[np.bool_]
    launch_bound: NDArray[np.bool_]
    engine: str | None = None


def is_launch_bound(time_s: Floats, compute_s: Floats, memory_s: Floats) -> NDArray[np.bool_]:
    """Where tensor cores and memory each take less than half of the time."""
    return np.asarray(np.maximum(compute_s, memory_s) < time_s / 2)
