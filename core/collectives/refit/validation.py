"""Cross-validation by whole operators, node counts and sizes, never by random rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.collectives.cost_model.calibration import Calibration
from core.collectives.cost_model.compiler import compile_curve
from core.collectives.cost_model.curve import evaluate
from core.collectives.cost_model.setting import Point
from core.collectives.refit.data import Sweep

LARGE = 512 * 2.0**20


@dataclass(frozen=True, slots=True)
class Fold:
    """One split of cross-validation: what is fitted on and what is predicted."""

    name: str
    train: tuple[Sweep, ...]
    test: tuple[Sweep, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Predictions beside measurements of one sweep, without the rows given as points."""

    site: str
    several: bool
    basis: str
    size_bytes: np.ndarray
    measured_s: np.ndarray
    predicted_s: np.ndarray
    low_s: np.ndarray
    high_s: np.ndarray

    @property
    def error(self) -> np.ndarray:
        """|predicted / measured - 1| of every row."""
        error: np.ndarray = np.abs(self.predicted_s / self.measured_s - 1)
        return error

    @property
    def inside(self) -> np.ndarray:
        """Which rows lie inside the band."""
        inside: np.ndarray = (self.measured_s >= self.low_s) & (self.measured_s <= self.high_s)
        return inside


@dataclass(frozen=True, slots=True)
class Score:
    """Errors over all rows and by site, and the share of rows inside the band."""

    rows: int
    median: float
    p90: float
    site_mean: float
    worst: float
    worst_site: str
    coverage: float


def folds(sweeps: Sequence[Sweep]) -> list[Fold]:
    """Each operator of several domains left out, then the large node counts, then the large sizes."""
    several = [sweep for sweep in sweeps if sweep.several]
    splits = []
    for operator in sorted({sweep.operator for sweep in several}):
        rest = tuple(sweep for sweep in several if sweep.operator != operator)
        own = tuple(sweep for sweep in several if sweep.operator == operator)
        splits.append(Fold(f"operator {operator}", rest, own))
    for most in (8, 2):
        few = tuple(sweep for sweep in several if sweep.setting.domains <= most)
        many = tuple(sweep for sweep in several if sweep.setting.domains > most)
        splits.append(Fold(f"more than {most} domains", few, many))
    small = tuple(cut for sweep in several if (cut := part(sweep, 0, LARGE)) is not None)
    large = tuple(cut for sweep in several if (cut := part(sweep, LARGE, np.inf)) is not None)
    splits.append(Fold("more than 512 MiB", small, large))
    return splits


def part(sweep: Sweep, above: float, most: float) -> Sweep | None:
    """A sweep with only the sizes in (above, most]; None where none are left."""
    keep = (sweep.size_bytes > above) & (sweep.size_bytes <= most)
    if not keep.any():
        return None
    return type(sweep)(
        sweep.operator, sweep.site, sweep.setting, sweep.comm, sweep.size_bytes[keep], sweep.time_s[keep]
    )


def compare(sweep: Sweep, calibration: Calibration, points: int = 0) -> Comparison:
    """Predict a sweep, with its smallest (and largest) result as measured points if wanted."""
    places = [] if points == 0 else [0, -1][:points]
    keep = np.ones(len(sweep.size_bytes), bool)
    keep[places] = False
    measured = [Point(sweep.setting, float(sweep.size_bytes[i]), float(sweep.time_s[i])) for i in places]
    answer = evaluate(compile_curve(sweep.setting, measured, calibration), sweep.size_bytes)
    return Comparison(
        f"{sweep.operator}: {sweep.site}",
        sweep.several,
        answer.basis,
        sweep.size_bytes[keep],
        sweep.time_s[keep],
        answer.time_s[keep],
        answer.low_s[keep],
        answer.high_s[keep],
    )


def score(comparisons: Iterable[Comparison], smallest: float = 0.0) -> Score | None:
    """Median, p90, mean and worst of the sites' medians, and how many fell inside the band."""
    sites: dict[str, list[np.ndarray]] = {}
    inside = []
    for comparison in comparisons:
        keep = comparison.size_bytes >= smallest
        if keep.any():
            sites.setdefault(comparison.site, []).append(comparison.error[keep])
            inside.append(comparison.inside[keep])
    if not sites:
        return None
    medians = {site: float(np.median(np.concatenate(parts))) for site, parts in sites.items()}
    errors = np.concatenate([array for parts in sites.values() for array in parts])
    worst = max(medians, key=lambda site: medians[site])
    return Score(
        int(errors.size),
        float(np.median(errors)),
        float(np.quantile(errors, 0.9)),
        float(np.mean(list(medians.values()))),
        medians[worst],
        worst,
        float(np.concatenate(inside).mean()),
    )
