"""Bands from cross-validation: how far left-out measurements fall from the answer, by size."""

from collections.abc import Sequence

import numpy as np

from core.catalog.calibrations.shapes import BandSet
from core.collectives.cost_model.bands import VARYING
from core.collectives.refit.validation import Comparison

# One domain: the calibration's hosts are all well kept, so its own residuals are too narrow. Operators left
# out (AMD AAC, Oracle, Alps, ROCm) and those that calibrated nothing (Azure, DGX Cloud) instead: below 64 KiB
# older or busier hosts take 1.4 to 1.8 times as long, from 256 MiB on nine of ten lie within 7 %.
ONE_DOMAIN = BandSet(
    (0.0, 16.0, 19.0, 21.0, 23.0, 25.0, 28.0, 29.0, 31.0),
    (-0.2, -0.2, -0.2, -0.16, -0.12, -0.1, -0.08, -0.08, -0.08),
    (0.58, 0.58, 0.5, 0.28, 0.16, 0.11, 0.06, 0.06, 0.07),
)
CENTERS = (6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0)
HALF_WIDTH = 2.5
LEAST = 0.08
VARY = ", varying"
# Kestrel's Slingshot and two regions of TCPXO, kinds of the data: 0.7 to 2.4 times the answer up to 64 MiB.
KNOWN_FROM, KNOWN_FASTER, KNOWN_SLOWER = (22.0, 26.0), (-0.35, -0.22), 0.6
HOSTS_UP_TO = 16.0
# ln: below 64 KiB hosts of one kind differ up to 2.6 times, to both sides of the mean of a network.
HOSTS_FASTER, HOSTS_SLOWER = 0.25, 0.45


def several_bands(comparisons: Sequence[Comparison]) -> dict[str, BandSet]:
    """
    One band for networks measured behind that generation of GPU, one for all that is extrapolated.

    Both are made once more for the classes of network whose nodes vary.
    What was left out was predicted by constants that had seen its network, or only others: the answer's
    own basis tells which.
    """
    groups: dict[str, list[Comparison]] = {}
    for item in comparisons:
        name = "several" if item.basis.startswith("calibrated") else "unknown network"
        groups.setdefault(name + (VARY if item.network_class in VARYING else ""), []).append(item)
    every = {name: _percentiles(group) for name, group in groups.items()}
    if unknown := every.get(f"unknown network{VARY}"):
        every[f"several{VARY}"] = _known(unknown)
    return every


def _known(unknown: BandSet) -> BandSet:
    """The band of a varying network that was measured: leaving out an operator leaves none of it to tell."""
    faster = np.interp(unknown.log2_bytes, KNOWN_FROM, KNOWN_FASTER)
    low = np.minimum(unknown.ln_low, faster)
    return BandSet(
        unknown.log2_bytes, tuple(low.tolist()), tuple(KNOWN_SLOWER * high for high in unknown.ln_high)
    )


def _percentiles(comparisons: Sequence[Comparison]) -> BandSet:
    """
    The 10th and 90th percentile of ln(measured / predicted) around each size, operators alike.

    Neither end comes nearer to the answer than hosts of one kind do. Around sizes that no row is near the
    nearest rows tell.
    """
    position = np.log2(np.concatenate([comparison.size_bytes for comparison in comparisons]))
    deviation = np.log(
        np.concatenate([comparison.measured_s / comparison.predicted_s for comparison in comparisons])
    )
    operators = np.concatenate([[item.operator] * len(item.size_bytes) for item in comparisons])
    low, high = [], []
    for center in CENTERS:
        distance = np.abs(position - center)
        nearby = distance <= max(HALF_WIDTH, float(distance.min()))
        faster, slower = (HOSTS_FASTER, HOSTS_SLOWER) if center <= HOSTS_UP_TO else (LEAST, LEAST)
        ends = _weighted(deviation[nearby], operators[nearby])
        low.append(min(-faster, ends[0]))
        high.append(max(slower, ends[1]))
    return BandSet(CENTERS, tuple(low), tuple(high))


def _weighted(deviation: np.ndarray, operators: np.ndarray) -> tuple[float, float]:
    """The 10th and 90th percentile where an operator of many rows counts by their square root."""
    _, place, rows = np.unique(operators, return_inverse=True, return_counts=True)
    weight = rows[place] ** -0.5
    order = np.argsort(deviation)
    share = np.cumsum(weight[order]) - weight[order] / 2
    ends = np.interp(np.array([0.1, 0.9]) * weight.sum(), share, deviation[order])
    return float(ends[0]), float(ends[1])
