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

    def sentences(self, first: str, second: str) -> str:
        """What is compared and how much faster it is, small and large messages apart, in words."""
        lead = f"{second} {_times(self.median)} {first}"
        scope = f"median of {self.count} common samples, {self.least:.3g} to {self.most:.3g}"
        parts = [
            f"{sizes}: {_short_times(speed)}"
            for sizes, speed in (("32 MiB and more", self.large), ("up to 64 KiB", self.small))
            if speed is not None
        ]
        apart = "; ".join(parts)
        return f"{lead} ({scope}). {apart[:1].upper()}{apart[1:]}.".removesuffix(" .")


def _times(speed: float) -> str:
    """A speed ratio as a verb phrase that expects the first run's name."""
    if abs(speed - 1) < EQUAL:
        return "is as fast as"
    return f"is {speed:.3g} times as fast as" if speed > 1 else f"takes {1 / speed:.3g} times as long as"


def _short_times(speed: float) -> str:
    if abs(speed - 1) < EQUAL:
        return "equal"
    return f"{speed:.3g} times as fast" if speed > 1 else f"{1 / speed:.3g} times as long"
