"""Cross-validation by whole operators, node counts and sizes, never by random rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.collectives.cost_model.answer import Prediction
from core.collectives.cost_model.calibration import Calibration
from core.collectives.cost_model.compiler import compile_curve
from core.collectives.cost_model.curve import evaluate
from core.collectives.cost_model.networks import class_of
from core.collectives.cost_model.setting import Point
from core.collectives.refit.data import Sweep
from core.hardware import Family
from core.hardware.link import NODE_GPUS

LARGE = 512 * 2.0**20
FEW_ROWS = 20
"""Of an operator, below which it is left out together with others of few rows."""
KINDS: dict[str, Callable[[Sweep], bool]] = {
    "RoCE": lambda sweep: sweep.comm.network_family is Family.ETHERNET,
    "EFA v4": lambda sweep: sweep.setting.scale_out_link == "efa-6400",
    "AMD": lambda sweep: sweep.comm.vendor == "AMD",
    "racks": lambda sweep: sweep.setting.domain_gpus > NODE_GPUS,
    "one GPU a node": lambda sweep: sweep.setting.domain_gpus == 1,
}
"""Kinds of machine that are left out whole."""


@dataclass(frozen=True, slots=True)
class Fold:
    """One split of cross-validation: what is fitted on and what is predicted."""

    name: str
    train: tuple[Sweep, ...]
    test: tuple[Sweep, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Predictions beside measurements of one sweep, without the rows given as points."""

    operator: str
    site: str
    several: bool
    basis: str
    size_bytes: np.ndarray
    measured_s: np.ndarray
    predicted_s: np.ndarray
    low_s: np.ndarray
    high_s: np.ndarray
    network_class: str = ""

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
    """Operators of several domains left out, then whole kinds, large node counts and large sizes."""
    several = [sweep for sweep in sweeps if sweep.several]
    splits = []
    for name, operators in _operator_groups(several).items():
        splits.append(_without(f"operator {name}", several, [item.operator in operators for item in several]))
    for name, kind in KINDS.items():
        splits.append(_without(f"kind {name}", several, [kind(item) for item in several]))
    for most in (8, 2):
        out = [item.setting.domains > most for item in several]
        splits.append(_without(f"more than {most} domains", several, out))
    small = tuple(cut for sweep in several if (cut := part(sweep, 0, LARGE)) is not None)
    large = tuple(cut for sweep in several if (cut := part(sweep, LARGE, np.inf)) is not None)
    splits.append(Fold("more than 512 MiB", small, large))
    return [fold for fold in splits if fold.train and fold.test]


def _without(name: str, sweeps: Sequence[Sweep], out: Sequence[bool]) -> Fold:
    """The split that leaves some sweeps out of the fit and predicts them."""
    left = tuple(sweep for sweep, asked in zip(sweeps, out, strict=True) if not asked)
    return Fold(name, left, tuple(sweep for sweep, asked in zip(sweeps, out, strict=True) if asked))


def _operator_groups(sweeps: Sequence[Sweep]) -> dict[str, set[str]]:
    """Operators to leave out one at a time; those of few rows together."""
    rows: dict[str, int] = {}
    for sweep in sweeps:
        rows[sweep.operator] = rows.get(sweep.operator, 0) + len(sweep.size_bytes)
    groups = {name: {name} for name in sorted(rows) if rows[name] >= FEW_ROWS}
    if few := {name for name in rows if rows[name] < FEW_ROWS}:
        groups["of few rows"] = few
    return groups


def part(sweep: Sweep, above: float, most: float) -> Sweep | None:
    """A sweep with only the sizes in (above, most]; None where none are left."""
    cut = sweep.cut((sweep.size_bytes > above) & (sweep.size_bytes <= most))
    return cut if cut.size_bytes.size else None


def places_of(rows: int, points: int) -> list[int]:
    """Which rows of a sweep are given as points: the first, the last and some evenly between."""
    if not points:
        return []
    return sorted({round(place) for place in np.linspace(0, rows - 1, points).tolist()})


def compare(sweep: Sweep, calibration: Calibration, points: int = 0) -> Comparison:
    """Predict a sweep, with some of its results, evenly over its sizes, as measured points if wanted."""
    return compare_given(sweep, calibration, places_of(len(sweep.size_bytes), points))


def compare_given(sweep: Sweep, calibration: Calibration, places: Sequence[int]) -> Comparison:
    """Predict the other rows of a sweep, those at some places given as measured points."""
    keep = np.ones(len(sweep.size_bytes), bool)
    keep[list(places)] = False
    measured = [Point(sweep.setting, float(sweep.size_bytes[i]), float(sweep.time_s[i])) for i in places]
    answer = evaluate(compile_curve(sweep.setting, measured, calibration), sweep.size_bytes)
    return comparison_of(sweep, answer, keep)


def comparison_of(sweep: Sweep, answer: Prediction, keep: np.ndarray) -> Comparison:
    """A sweep's rows beside their answers, those of ``keep``."""
    return Comparison(
        sweep.operator,
        f"{sweep.operator}: {sweep.site}",
        sweep.several,
        answer.basis,
        sweep.size_bytes[keep],
        sweep.time_s[keep],
        answer.time_s[keep],
        answer.low_s[keep],
        answer.high_s[keep],
        class_of(sweep.comm).name if sweep.several else "",
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
