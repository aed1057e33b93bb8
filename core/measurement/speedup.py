"""How much faster one run is than another, in one measure for every page."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

EQUAL = 0.02
"""Medians this close are called equal."""
LARGE_BYTES = 32 * 2**20
SMALL_BYTES = 64 * 2**10
LARGE, SMALL = "of 32 MiB and more", "up to 64 KiB"


@dataclass(frozen=True, slots=True)
class Speedup:
    """
    Time of the first run over time of the second: above 1 the second is faster.

    Attributes:
        median, least, most: Over the samples common to both runs.
        count: How many those are.
        small, large: Medians of messages up to 64 KiB and of 32 MiB and more; None where none is common.
    """

    median: float
    least: float
    most: float
    count: int
    small: float | None
    large: float | None

    @classmethod
    def of(cls, sizes_bytes: Sequence[float], ratios: Sequence[float]) -> "Speedup":
        """The speedup of samples of these sizes, whose second time is so many times the first."""
        sizes, slowness = np.asarray(sizes_bytes, dtype=float), np.asarray(ratios, dtype=float)
        large, small = slowness[sizes >= LARGE_BYTES], slowness[sizes <= SMALL_BYTES]
        return cls(
            median=float(np.median(1 / slowness)),
            least=float(1 / slowness.max()),
            most=float(1 / slowness.min()),
            count=slowness.size,
            small=float(1 / np.median(small)) if small.size else None,
            large=float(1 / np.median(large)) if large.size else None,
        )

    def sentence(self, first: str, second: str) -> str:
        """How much faster the second run is, by name: at large messages, where there are any."""
        if self.large is None or self._even:
            return f"{second} {_compared(self.median)} {first}"
        small = "" if self.small is None else f", {_times(self.small)} {SMALL}"
        return f"{second} {_compared(self.large)} {first} for messages {LARGE}{small}"

    @property
    def scope(self) -> str:
        """What the sentence stands on: the median and, counted the same way, the range of all samples."""
        if all(abs(speed - 1) < EQUAL for speed in (self.median, self.least, self.most)):
            return f"{self.count} common samples, all equal."
        ends = (self.least, self.most) if self.median > 1 - EQUAL else (1 / self.most, 1 / self.least)
        spread = f"{ends[0]:.3g} to {ends[1]:.3g}"
        return f"Median of all {self.count} common samples: {_times(self.median)} ({spread})."

    @property
    def _even(self) -> bool:
        """Whether small and large messages changed alike, as all did."""
        ends = (speed for speed in (self.small, self.large) if speed is not None)
        return all(abs(speed / self.median - 1) < EQUAL for speed in ends)


def _compared(speed: float) -> str:
    if abs(speed - 1) < EQUAL:
        return "is as fast as"
    return f"is {speed:.3g} times as fast as" if speed > 1 else f"takes {1 / speed:.3g} times as long as"


def _times(speed: float) -> str:
    if abs(speed - 1) < EQUAL:
        return "equal"
    return f"{speed:.3g} times as fast" if speed > 1 else f"{1 / speed:.3g} times as long"
