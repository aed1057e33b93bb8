"""What measured points say about other answers: a Gaussian process over ln(measured / calibrated).

Before any point the error of an answer is as wide as its band. Errors go together where they have one
cause. Across domains two explanations compete: the network is one of those fitted, where a point says
little about other collectives, or it is another, where it says much. Points weigh them by likelihood.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.collectives.cost_model.causes import (
    Apart,
    Causes,
    Explanations,
    Places,
    apart,
    covariance,
    expected,
)

P90 = 1.2816
"""Standard deviations from the middle to the 90th percentile of a normal distribution."""
LEAST_SPREAD = 0.06
"""ln: two runs of one machine differ so much at least."""
NOISE = 0.01
"""ln: repeats of one measurement (median difference 1.7 %)."""
LEAST_SURPRISE = 0.95
"""Times the variance, at least: points that agree do not make the rest surer than they explain."""
TAIL = (P90**2 + 1) / 4
"""How much farther than a normal's the 90th percentile of a Student t lies, times its degrees of freedom."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """
    What is known of the ln error after some points.

    Attributes:
        ln_off: Its mean.
        kept: Its standard deviation over that before any point.
        usual: Of the mean, what the likely explanations expect by themselves.
    """

    ln_off: Floats
    kept: Floats
    usual: Floats


def spread_of(ln_low: Floats, ln_high: Floats) -> Floats:
    """The standard deviation behind a band from the 10th to the 90th percentile."""
    spread: Floats = np.maximum((ln_high - ln_low) / (2 * P90), LEAST_SPREAD)
    return spread


def posterior(
    known: Places, ln_off: Floats, ln_noise: Floats, wanted: Places, causes: Explanations
) -> Posterior:
    """
    The error of ``wanted`` answers, given that of ``known`` ones.

    Args:
        known: Where points lie.
        ln_off: ln of measured over calibrated time of each.
        ln_noise: What each point is doubted by beyond the noise of repeats, in ln.
        wanted: Where answers are wanted.
        causes: What may explain the errors, with probabilities before the points.
    """
    noise = NOISE**2 + ln_noise**2
    pairs = apart(known, known), apart(known, wanted)
    explained = [
        _explained(item, _Points(*pairs, ln_off - expected(item, known), noise), wanted) for item, _ in causes
    ]
    chances = [chance for _, chance in causes]
    ln_weights = np.array([item.ln_likelihood for item in explained]) + np.log(chances)
    weights = np.exp(ln_weights - ln_weights.max())
    weights /= weights.sum()
    means = np.stack([item.ln_off for item in explained])
    variances = np.stack([item.variance for item in explained])
    ln_mean = weights @ means
    variance = weights @ (variances + (means - ln_mean) ** 2)
    usual = weights @ np.stack([expected(item, wanted) for item, _ in causes])
    return Posterior(ln_mean, np.sqrt(variance + NOISE**2) / wanted.spread, usual)


@dataclass(frozen=True, slots=True)
class _Explained:
    """The error of wanted answers under one explanation, and how likely that makes the points."""

    ln_off: Floats
    variance: Floats
    ln_likelihood: float


@dataclass(frozen=True, slots=True)
class _Points:
    """Points beside each other and the wanted answers, what each is off its expected error, its noise."""

    known: Apart
    wanted: Apart
    ln_off: Floats
    noise: Floats


def _explained(causes: Causes, measured: _Points, wanted: Places) -> _Explained:
    """A Student t process: points that surprise widen what is left in doubt."""
    root = np.linalg.cholesky(covariance(causes, measured.known) + np.diag(measured.noise))
    whitened = np.linalg.solve(root, covariance(causes, measured.wanted))
    surprise = np.linalg.solve(root, measured.ln_off)
    squared, points, freedom = float(surprise @ surprise), len(measured.ln_off), causes.surprise
    before = (causes.spread * wanted.spread) ** 2
    left = np.maximum(before - np.sum(whitened**2, axis=0), 0.0)
    unreached = left / before
    left = left * (1 - unreached + unreached * (causes.far_spread / causes.spread) ** 2)
    scale = max((freedom + squared) / (freedom + points), LEAST_SURPRISE)
    farther = 1 + TAIL / (freedom + points)
    ln_likelihood = (
        math.lgamma((freedom + points) / 2)
        - math.lgamma(freedom / 2)
        - points / 2 * math.log(freedom)
        - (freedom + points) / 2 * math.log1p(squared / freedom)
        - float(np.log(np.diag(root)).sum())
    )
    return _Explained(
        expected(causes, wanted) + surprise @ whitened, left * scale * farther**2, ln_likelihood
    )


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
