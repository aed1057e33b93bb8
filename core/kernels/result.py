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
    """

    time_s: Floats
    low_s: Floats
    high_s: Floats
    compute_bound: NDArray[np.bool_]
