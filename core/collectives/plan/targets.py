"""What a cluster will be asked, and how wide the prediction interval there is given some points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.collectives.cost_model import Point, Setting, predict
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.causes import Causes, Explanations, Places, apart, covariance, joined
from core.collectives.cost_model.compiler import explanations_of
from core.collectives.cost_model.machine import cluster_key
from core.collectives.cost_model.posterior import NOISE
from core.collectives.cost_model.prior import Prior, prior_of

COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
"""That training and inference ask for most."""
SIZES = np.array([float(4**power * 1024) for power in range(2, 12)])
"""16 KiB to 4 GiB, each four times the one before."""


@dataclass(frozen=True, slots=True)
class Group:
    """
    Curves that points of one another say something about: inside one domain, or across several.

    Attributes:
        settings: One a curve.
        places: Of every curve and size in the space over which errors go together.
        ln_width: ln(high / low) there before any point.
        causes: What may explain the errors there, with probabilities before any point.
    """

    settings: tuple[Setting, ...]
    priors: tuple[Prior, ...]
    places: Places
    ln_width: Floats
    causes: Explanations


def grouped(settings: Sequence[Setting]) -> tuple[Group, ...]:
    """The curves by what their points say about each other."""
    keys = list(dict.fromkeys(cluster_key(setting) for setting in settings))
    return tuple(_group([item for item in settings if cluster_key(item) == key]) for key in keys)


def _group(settings: Sequence[Setting]) -> Group:
    priors = [prior_of(setting, shipped()) for setting in settings]
    places, widths = [], []
    for prior in priors:
        places.append(prior.places(SIZES, COLLECTIVES.index(prior.comm.setting.collective), 0))
        widths.append(prior.at(prior.high - prior.low, SIZES))
    return Group(
        tuple(settings), tuple(priors), joined(places), np.concatenate(widths), explanations_of(priors[0])
    )


def widths_now(group: Group, points: Sequence[Point]) -> float:
    """Sum of ln(high / low) over a group with some places measured."""
    known = _joined(group, points)
    variance = [chance * np.diag(_left(causes, group.places, known)) for causes, chance in group.causes]
    return float(_widths(group, np.sum(variance, axis=0)).sum())


def widths_after(group: Group, points: Sequence[Point]) -> Floats:
    """
    The same once one place more is measured, one value a place.

    Of the variance alone: what a point measures moves it little as long as it is expected.
    """
    known = _joined(group, points)
    variance = [chance * _after(_left(causes, group.places, known)) for causes, chance in group.causes]
    sums: Floats = _widths(group, np.sum(variance, axis=0)).sum(axis=1)
    return sums


def _widths(group: Group, variance: Floats) -> Floats:
    kept = np.sqrt(np.maximum(variance, 0.0) + NOISE**2) / group.places.spread
    widths: Floats = kept * group.ln_width
    return widths


def _left(causes: Causes, places: Places, known: Places | None) -> Floats:
    """The covariance of the places given those known."""
    left = covariance(causes, apart(places, places))
    if known is None:
        return left
    noise = NOISE**2 * np.eye(len(known.spread))
    root = np.linalg.cholesky(covariance(causes, apart(known, known)) + noise)
    whitened = np.linalg.solve(root, covariance(causes, apart(known, places)))
    remaining: Floats = left - whitened.T @ whitened
    return remaining


def _after(left: Floats) -> Floats:
    """The variance of every place (columns) once another (rows) is measured."""
    own = np.maximum(np.diag(left), 0.0)
    after: Floats = own[None, :] - left**2 / (own[:, None] + NOISE**2)
    return after


def _joined(group: Group, points: Sequence[Point]) -> Places | None:
    return joined([_known(group, point) for point in points]) if points else None


def _known(group: Group, point: Point) -> Places:
    """Where a point lies among the curves of a group."""
    priors = dict(zip(group.settings, group.priors, strict=True))
    prior = priors.get(point.setting) or prior_of(point.setting, shipped())
    names = list(COLLECTIVES)
    name = point.setting.collective
    operation = names.index(name) if name in names else len(names)
    same = point.setting.implementation == group.settings[0].implementation
    return prior.places(np.array([float(point.size_bytes)]), operation, 0 if same else 1)


def answered_width(settings: Sequence[Setting], points: tuple[Point, ...]) -> float:
    """Mean ln(high / low) of what the cost model answers over all curves and sizes."""
    widths = []
    for setting in settings:
        answer = predict(setting, SIZES, points)
        widths.append(np.log(answer.high_s / answer.low_s))
    return float(np.mean(widths))


def times_wide(ln_width: float) -> float:
    """How many times its low end the high end of an interval is."""
    return math.exp(ln_width)
