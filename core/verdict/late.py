"""By how much each call of a run starts late, as its small sizes tell."""

from collections.abc import Sequence

import numpy as np

from core.units import KIB
from core.verdict.reasons import LARGE_BYTES
from core.verdict.records import Status
from core.verdict.sweep import MeasuredSweep

SMALL_BYTES = 256 * KIB
_LEAST, _LATE_RATIO = 3, 1.3
"""So many small sizes, so many times their expected time: then each call starts late."""


def late_s(measured: MeasuredSweep, statuses: Sequence[Status]) -> float:
    """Seconds that small messages take longer than expected, as their median; 0 where they do not."""
    sizes = [sample.size_bytes for sample in measured.samples]
    small = [index for index, size_bytes in enumerate(sizes) if size_bytes <= SMALL_BYTES]
    if len(small) < _LEAST and _rate_is_there(sizes, statuses):
        small = [index for index, size_bytes in enumerate(sizes) if size_bytes < LARGE_BYTES]
    if len(small) < _LEAST or np.median([measured.ratio(index) for index in small]) < _LATE_RATIO:
        return 0.0
    return float(np.median(measured.times_s[small] - measured.expected.time_s[small]))


def _rate_is_there(sizes: Sequence[int], statuses: Sequence[Status]) -> bool:
    """Whether the largest sizes, all of them large, are not slow: what smaller ones lack is no bandwidth."""
    largest = sorted({size for size in sizes if size >= LARGE_BYTES})[-_LEAST:]
    slow = {size for size, status in zip(sizes, statuses, strict=True) if status is Status.LOW}
    return len(largest) == _LEAST and slow.isdisjoint(largest)
