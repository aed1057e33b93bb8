"""Timing: warm-up, repeats long enough for the clock, and the median with its spread."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured: repeats, and the seconds that each of them should last."""

    repeats: int
    repeat_s: float
    warmup: int = 3
    inner_most: int = 2000


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one operation: median, fastest and slowest of the repeats."""

    median_s: float
    low_s: float
    high_s: float


QUICK = Effort(repeats=5, repeat_s=0.004)
USUAL = Effort(repeats=7, repeat_s=0.02)
FULL = Effort(repeats=11, repeat_s=0.05)


class HostClock:
    """Wall time, for work that has ended when it returns."""

    def elapsed_s(self, work: Work, inner: int) -> float:
        """Seconds of ``inner`` operations one after the other."""
        start = time.perf_counter()
        for _ in range(inner):
            work()
        return time.perf_counter() - start


class CudaClock:
    """CUDA events around the work on one device's current stream."""

    def __init__(self, torch: Any, device: int) -> None:
        """Time work that is put on the current stream of ``device``."""
        self._torch = torch
        self._device = device

    def elapsed_s(self, work: Work, inner: int) -> float:
        """Seconds on the GPU of ``inner`` operations one after the other."""
        torch = self._torch
        with torch.cuda.device(self._device):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            for _ in range(inner):
                work()
            end.record()
            end.synchronize()
        return float(start.elapsed_time(end)) / 1e3


def inner_count(once_s: float, effort: Effort) -> int:
    """How many operations make one repeat last as long as it should."""
    return max(1, min(effort.inner_most, round(effort.repeat_s / max(once_s, 1e-9))))


def measure(work: Work, clock: HostClock | CudaClock, effort: Effort) -> Timing:
    """Warm up, choose how many operations a repeat holds, repeat, and take the median."""
    clock.elapsed_s(work, effort.warmup)
    inner = inner_count(clock.elapsed_s(work, 1), effort)
    return summary([clock.elapsed_s(work, inner) / inner for _ in range(effort.repeats)])


def summary(times_s: list[float]) -> Timing:
    """Median and spread of repeats."""
    return Timing(statistics.median(times_s), min(times_s), max(times_s))
