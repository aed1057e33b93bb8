"""How much faster one run is than another, in one measure for every page."""

from dataclasses import dataclass

EQUAL = 0.02
"""Medians this close are called equal."""


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

    def sentence(self, first: str, second: str) -> str:
        """How much faster the second run is than the first, by name."""
        if abs(self.median - 1) < EQUAL:
            return f"{second} is as fast as {first}"
        if self.median > 1:
            return f"{second} is {self.median:.3g} times as fast as {first}"
        return f"{second} takes {1 / self.median:.3g} times as long as {first}"

    @property
    def scope(self) -> str:
        """What the sentence compares, and small and large messages apart."""
        parts = [
            f"{sizes} {_times(speed)}"
            for sizes, speed in (("32 MiB and more", self.large), ("up to 64 KiB", self.small))
            if speed is not None
        ]
        lead = f"Median of {self.count} common samples ({self.least:.3g} to {self.most:.3g} times as fast)"
        return f"{lead}; messages of {', '.join(parts)}." if parts else f"{lead}."


def _times(speed: float) -> str:
    if abs(speed - 1) < EQUAL:
        return "equal"
    return f"{speed:.3g} times as fast" if speed > 1 else f"{1 / speed:.3g} times as long"
