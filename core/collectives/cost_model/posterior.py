"""What measured points say about other answers: a Gaussian process over ln(measured / calibrated).

Before any point the error of an answer is as wide as its band. Errors go together where they have one
cause: the machine (its host shows in latency, its links in transfer), the collective, this very curve,
or a switch of protocols at this size. Each cause has a share of the variance and fades with distance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats

P90 = 1.2816
"""Standard deviations from the middle to the 90th percentile of a normal distribution."""
LEAST_SPREAD = 0.06
"""ln: two runs of one machine differ so much at least."""
NOISE = 0.015
"""ln: repeats of one measurement (median difference 1.7 %)."""

# Found by leaving out sizes, collectives and node counts of 229 sweeps, none of several domains
# predicted by constants that had seen its operator; the optimum is flat.
MACHINE_SHARE, COLLECTIVE_SHARE, CURVE_SHARE, SPOT_SHARE = 0.47, 0.13, 0.25, 0.15
"""Of the variance, by cause."""
MACHINE_OCTAVES, COLLECTIVE_OCTAVES, CURVE_OCTAVES = 40.0, 10.0, 4.0
"""Of size (machine) or way (collective, curve) over which the error of each cause fades."""
WAY_OF_SIZE = 0.15
"""Octaves of way an octave of size, beside those of calibrated time: flat stretches of a curve are short."""
SPOT_OCTAVES = 1.0
"""Of way over which a switch of protocol that the model misses fades."""
CURVE_SMOOTHNESS = 1.5
"""Exponent: 1 is as rough as a random walk, 2 as smooth as can be."""
WAITING_CONTRAST = 2.0
"""How little a point that waits says about one that transfers."""
MACHINE_DOUBLINGS, COLLECTIVE_DOUBLINGS = 6.0, 0.6
"""Of domains over which the error of each cause fades."""
SURPRISE = 3.0
"""Points that the spread before them counts for: more surprising points widen it."""
LEAST_SURPRISE = 0.7


@dataclass(frozen=True, slots=True)
class Places:
    """
    Answers in the space over which errors go together, one value each.

    Attributes:
        log2_time: Of the calibrated time: where it stays the same, so does the error.
        waiting: Launch and latency's share of the time.
        operation: A number for each collective, implementation and launch.
        spread: Standard deviation of the ln error before any point.
    """

    log2_bytes: Floats
    log2_time: Floats
    log2_domains: Floats
    waiting: Floats
    operation: NDArray[np.intp]
    spread: Floats


@dataclass(frozen=True, slots=True)
class Posterior:
    """
    What is known of the ln error after some points.

    Attributes:
        ln_off: Its mean.
        kept: Its standard deviation over that before any point.
    """

    ln_off: Floats
    kept: Floats


def joined(places: Sequence[Places]) -> Places:
    """Places one after the other."""
    return Places(
        *(np.concatenate([getattr(item, field.name) for item in places]) for field in fields(Places))
    )


def spread_of(ln_low: Floats, ln_high: Floats) -> Floats:
    """The standard deviation behind a band from the 10th to the 90th percentile."""
    spread: Floats = np.maximum((ln_high - ln_low) / (2 * P90), LEAST_SPREAD)
    return spread


def posterior(known: Places, ln_off: Floats, ln_noise: Floats, wanted: Places) -> Posterior:
    """
    The error of ``wanted`` answers, given that of ``known`` ones.

    Args:
        known: Where points lie.
        ln_off: ln of measured over calibrated time of each.
        ln_noise: What each point is doubted by beyond the noise of repeats, in ln.
        wanted: Where answers are wanted.
    """
    noise = NOISE**2 + ln_noise**2
    root = np.linalg.cholesky(_covariance(known, known) + np.diag(noise))
    whitened = np.linalg.solve(root, _covariance(known, wanted))
    surprise = np.linalg.solve(root, ln_off)
    explained = np.sum(whitened**2, axis=0)
    left = np.maximum(wanted.spread**2 - explained, 0.0)
    scale = (SURPRISE + float(surprise @ surprise)) / (SURPRISE + len(ln_off))
    remaining = np.sqrt(left * max(scale, LEAST_SURPRISE) + NOISE**2) / wanted.spread
    return Posterior(surprise @ whitened, remaining)


def _covariance(first: Places, second: Places) -> Floats:
    octaves = np.abs(first.log2_bytes[:, None] - second.log2_bytes)
    way = WAY_OF_SIZE * octaves + np.abs(first.log2_time[:, None] - second.log2_time)
    doublings = np.abs(first.log2_domains[:, None] - second.log2_domains)
    alike = first.operation[:, None] == second.operation
    limits = _alike_limits(first.waiting[:, None], second.waiting)
    machine = limits * np.exp(-octaves / MACHINE_OCTAVES - doublings / MACHINE_DOUBLINGS)
    collective = limits * alike * np.exp(-way / COLLECTIVE_OCTAVES - doublings / COLLECTIVE_DOUBLINGS)
    smooth, spot = np.exp(-((way / CURVE_OCTAVES) ** CURVE_SMOOTHNESS)), np.exp(-way / SPOT_OCTAVES)
    curve = alike * (doublings == 0) * (CURVE_SHARE * smooth + SPOT_SHARE * spot)
    shared = MACHINE_SHARE * machine + COLLECTIVE_SHARE * collective + curve
    covariance: Floats = first.spread[:, None] * second.spread * shared
    return covariance


def _alike_limits(first: Floats, second: Floats) -> Floats:
    """How far two answers wait and transfer in the same shares: 1 alike, 0 one waits, the other moves."""
    both = first * second + (1 - first) * (1 - second)
    own = (first**2 + (1 - first) ** 2) * (second**2 + (1 - second) ** 2)
    alike: Floats = (both / np.sqrt(own)) ** WAITING_CONTRAST
    return alike


def rising(ln_time: Floats, kept: Floats) -> Floats:
    """The nearest curve that never falls, the nearer the less is in doubt: isotonic regression."""
    if (np.diff(ln_time) >= 0).all():
        return ln_time
    weights = 1.0 / kept**2
    levels: list[float] = []
    masses: list[float] = []
    lengths: list[int] = []
    for value, weight in zip(ln_time.tolist(), weights.tolist(), strict=True):
        level, mass, length = value, weight, 1
        while levels and levels[-1] > level:
            level = (levels[-1] * masses[-1] + level * mass) / (masses[-1] + mass)
            mass, length = mass + masses.pop(), length + lengths.pop()
            levels.pop()
        levels.append(level)
        masses.append(mass)
        lengths.append(length)
    return np.repeat(levels, lengths)
