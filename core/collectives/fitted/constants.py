"""Constants: the machine behind sweeps; a constant is adapted only where sizes left out are met better."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.cost_model.adapt import (
    LATENCY_SPREAD,
    TRANSFER_SPREAD,
    Adaptation,
    Observation,
    Observations,
    beside,
)

LATENCY, TRANSFER, GROWTH = 0, 1, 2
CHOICES = ((), (LATENCY,), (TRANSFER,), (LATENCY, TRANSFER), (LATENCY, TRANSFER, GROWTH))
"""Which constants may be adapted together, the simplest first."""
GROWTH_SPREAD = 0.5
LEAST_LN, MOST_LN = np.array([-2.5, -1.8, -4.0]), np.array([2.5, 1.8, 1.6])
STARTS = (np.linspace(-1.2, 1.2, 7), np.linspace(-0.4, 0.8, 7), np.array([-2.0, -0.7, 0.0, 0.5]))
STEPS = 12
SHRUNK = np.array([1.0, 0.5, 0.2, 0.05, 0.0])
"""Shares of a step that are tried."""
FAR = 2.5
"""Standard deviations up to which a size counts in full: no machine has the model's shape exactly."""
DELTA, CONVERGED, TINY = 1e-4, 1e-5, 1e-9
FOLDS = 3
GAIN = 0.98
"""More constants must lower the error of sizes left out to this share."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Constants:
    """
    The machine, and what it makes of sizes that it was not fitted to.

    Attributes:
        adaptation: Neutral where adapting met the sizes left out no better than the calibration.
        ln_left_out: Ln of predicted over measured time of every point, predicted without it.
    """

    adaptation: Adaptation
    ln_left_out: Floats


def chosen(observations: list[Observation], regime: str, reference_s: float, folds: list[int]) -> Constants:
    """
    The constants that meet sizes left out best.

    Args:
        observations: The points of all sweeps of one placement.
        regime: ``one`` domain or ``several``.
        reference_s: Seconds of one byte on the calibrated machine.
        folds: Of each point, the third of the sizes that is left out together with it.
    """
    group = np.array(folds)
    best = Constants(Adaptation(smallest_bytes=min(point.size_bytes for point in observations)), np.array([]))
    error = np.inf
    for free in CHOICES:
        ln_left_out = np.empty(len(observations))
        for fold in np.unique(group):
            out = group == fold
            fitted = _most_probable(observations, regime, reference_s, free, ~out)
            ln_left_out[out] = _ln_missed(observations, regime, reference_s, fitted)[out]
        own_error = float(np.median(np.abs(np.expm1(ln_left_out))))
        if own_error < (GAIN * error if free else np.inf):
            everything = np.ones(len(group), dtype=bool)
            ln_factors = _most_probable(observations, regime, reference_s, free, everything)
            machine = beside(observations, regime, reference_s).adaptation(*ln_factors.tolist())
            best, error = Constants(machine, ln_left_out), own_error
    return best


def _ln_missed(
    observations: list[Observation], regime: str, reference_s: float, ln_factors: Floats
) -> Floats:
    """Ln of predicted over measured time at every point."""
    points = beside(observations, regime, reference_s)
    latency, transfer, growth = ln_factors[:, None]
    measured = np.array([point.time_s for point in observations])
    missed: Floats = np.log(points.times_s(latency, transfer, growth)[:, 0] / measured)
    return missed


def _most_probable(
    observations: list[Observation], regime: str, reference_s: float, free: tuple[int, ...], used: Mask
) -> Floats:
    """The most probable ln factors by the points used; those that are not free are 0."""
    if not free or not used.any():
        return np.zeros(3)
    points = beside([observations[place] for place in np.flatnonzero(used)], regime, reference_s)
    axes = [STARTS[place] if place in free else np.zeros(1) for place in range(3)]
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")])
    here: Floats = grid[:, int(np.argmin(_cost(_missed(points, grid))))]
    for _ in range(STEPS):
        tried = here[:, None] + _step(points, here, free)[:, None] * SHRUNK
        tried = np.clip(tried, LEAST_LN[:, None], MOST_LN[:, None])
        better = tried[:, int(np.argmin(_cost(_missed(points, tried))))]
        if np.allclose(better, here, atol=CONVERGED):
            break
        here = better
    return here


def _step(points: Observations, here: Floats, free: tuple[int, ...]) -> Floats:
    """The step of least squares from here, points far off counting less."""
    aside = np.stack([here, *(here + DELTA * (np.arange(3) == place) for place in free)], axis=1)
    residuals = _missed(points, aside)
    base = residuals[:, 0]
    slopes = (residuals[:, 1:] - base[:, None]) / DELTA
    weights = np.ones(len(base))
    weights[:-3] = 1.0 / (1.0 + (base[:-3] / FAR) ** 2)
    square = slopes.T @ (weights[:, None] * slopes) + TINY * np.eye(len(free))
    step = np.zeros(3)
    step[list(free)] = -np.linalg.solve(square, slopes.T @ (weights * base))
    return step


def _missed(points: Observations, factors: Floats) -> Floats:
    """What machines miss points and prior by, in standard deviations: three rows of prior at the end."""
    spreads = np.array([LATENCY_SPREAD[points.regime], TRANSFER_SPREAD[points.regime], GROWTH_SPREAD])
    latency, transfer, growth = factors
    missed = np.log(points.times_s(latency, transfer, growth) / points.plausible_s) / points.noise
    return np.concatenate([missed, factors / spreads[:, None]])


def _cost(missed: Floats) -> Floats:
    """How improbable each machine is; a point far off adds only its logarithm."""
    total: Floats = FAR**2 * np.log1p((missed[:-3] / FAR) ** 2).sum(axis=0) + (missed[-3:] ** 2).sum(axis=0)
    return total
