"""Bands from cross-validation: how far left-out measurements fall from the answer, by size."""

from collections.abc import Sequence

import numpy as np

from core.catalog.calibrations.shapes import BandSet
from core.collectives.refit.validation import Comparison

# One domain: the calibration's hosts are all well kept, so its own residuals are too narrow.
# Published spread instead: two teams differ by 2.4-5.2 % at large sizes; below 64 KiB older or
# busier hosts take 1.4-2.1 times as long, and hardly any host is faster than a good one.
ONE_DOMAIN = BandSet(
    (0.0, 16.0, 19.0, 21.0, 23.0, 25.0, 28.0),
    (-0.13, -0.13, -0.12, -0.1, -0.075, -0.05, -0.04),
    (0.6, 0.6, 0.45, 0.2, 0.1, 0.07, 0.05),
)
CENTERS = (6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0)
HALF_WIDTH = 2.5
LEAST = 0.06
HOSTS_UP_TO = 16.0
# ln: below 64 KiB hosts of one kind differ up to 2.6 times, to both sides of the mean of a network.
HOSTS_FASTER, HOSTS_SLOWER = 0.45, 0.5


def several_bands(comparisons: Sequence[Comparison]) -> dict[str, BandSet]:
    """
    One band for networks measured behind that generation of GPU, one for all that is extrapolated.

    What was left out was predicted by constants that had seen its network, or only others: the answer's
    own basis tells which.
    """
    calibrated = [comparison for comparison in comparisons if comparison.basis.startswith("calibrated")]
    extrapolated = [comparison for comparison in comparisons if not comparison.basis.startswith("calibrated")]
    return {"several": _percentiles(calibrated), "unknown network": _percentiles(extrapolated)}


def _percentiles(comparisons: Sequence[Comparison]) -> BandSet:
    """The 10th and 90th percentile of ln(measured / predicted) around each size."""
    position = np.log2(np.concatenate([comparison.size_bytes for comparison in comparisons]))
    deviation = np.log(
        np.concatenate([comparison.measured_s / comparison.predicted_s for comparison in comparisons])
    )
    low, high = [], []
    for center in CENTERS:
        nearby = np.abs(position - center) <= HALF_WIDTH
        faster, slower = (HOSTS_FASTER, HOSTS_SLOWER) if center <= HOSTS_UP_TO else (LEAST, LEAST)
        low.append(min(-faster, float(np.quantile(deviation[nearby], 0.1))))
        high.append(max(slower, float(np.quantile(deviation[nearby], 0.9))))
    return BandSet(CENTERS, tuple(low), tuple(high))
