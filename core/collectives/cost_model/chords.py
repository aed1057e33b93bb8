"""Between two measured points of a curve that are off differently, time grows in a straight line with bytes.

The calibrated shape is doubted there, as it would have to change by itself what the points say changed.
Latency plus bytes over a rate is the other shape that is likely between neighbours.
"""

from dataclasses import dataclass

import numpy as np

from core.checks import Floats

DISAGREEMENT = 0.35
"""Standard deviations before any point by which near neighbours differ where both shapes are as likely."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """
    How far two points may lie from each other.

    Attributes:
        octaves: Of size between points off alike at which the straight line still has a share of 1/e.
        power: Of the distance, by which farther ones may differ.
    """

    octaves: float
    power: float


INSIDE, ACROSS = Neighbours(3.0, 1.0), Neighbours(6.0, 1.5)
"""In one domain, and across domains, where the calibrated shape is off by more and its slope wanders."""


@dataclass(frozen=True, slots=True)
class Between:
    """
    A curve between the measured points of it.

    Attributes:
        ln_time: The mean of both shapes by their shares.
        variance: By which the two differ, to be added to that of the time.
    """

    ln_time: Floats
    variance: Floats


def between_points(
    size_bytes: Floats,
    ln_time: Floats,
    ln_off: Floats,
    spread: Floats,
    points_bytes: Floats,
    neighbours: Neighbours = INSIDE,
) -> Between:
    """
    A corrected curve, drawn towards the straight lines between its own points.

    Args:
        size_bytes: Where the curve is known, rising.
        ln_time: Of the curve after its points.
        ln_off: How far that is off the calibrated curve.
        spread: Standard deviation of the ln error before any point.
        points_bytes: Sizes of the measured points of this very curve.
        neighbours: How far apart such points may lie that a straight line is likely between them.
    """
    ends = np.unique(points_bytes)
    if len(ends) < 2:
        return Between(ln_time, np.zeros_like(ln_time))
    times, off, usual = (
        np.interp(np.log(ends), np.log(size_bytes), column) for column in (np.exp(ln_time), ln_off, spread)
    )
    apart = np.diff(off) ** 2
    distance = np.diff(np.log2(ends)) / neighbours.octaves
    farther_off = np.maximum(distance, 1.0) ** neighbours.power
    doubt = (DISAGREEMENT * np.maximum(usual[:-1], usual[1:]) * farther_off) ** 2
    near = np.exp(-distance)
    shares = near + (1 - near) * apart / (apart + doubt)
    inside = (size_bytes > ends[0]) & (size_bytes < ends[-1])
    place = np.searchsorted(ends, size_bytes[inside], side="right") - 1
    share = np.zeros_like(ln_time)
    share[inside] = shares[place]
    farther = np.zeros_like(ln_time)
    farther[inside] = np.log(np.interp(size_bytes[inside], ends, times)) - ln_time[inside]
    return Between(ln_time + share * farther, share * (1 - share) * farther**2)
