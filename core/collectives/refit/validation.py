"""Cross-validation by whole operators, node counts and sizes, never by random rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.collectives.cost_model.compiler import compile_curve
from core.collectives.cost_model.curve import evaluate
from core.collectives.cost_model.setting import Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.collectives.cost_model.calibration import Calibration
    from core.collectives.refit.data import Series

LARGE = 512 * 2.0**20


@dataclass(frozen=True, slots=True)
class Fold:
    """What is fitted on and what is asked."""

    name: str
    train: tuple[Series, ...]
    test: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """Predictions beside measurements for one series, without the rows given as points."""

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
        off: np.ndarray = np.abs(self.predicted_s / self.measured_s - 1)
        return off


@dataclass(frozen=True, slots=True)
class Score:
    """What a set of judged series comes to."""

    rows: int
    median: float
    p90: float
    site_mean: float
    worst: float
    worst_site: str
    coverage: float


def folds(series: Sequence[Series]) -> list[Fold]:
    """Each operator of several domains left out, then the large node counts, then the large sizes."""
    several = [one for one in series if one.several]
    found = []
    for operator in sorted({one.operator for one in several}):
        rest = tuple(one for one in several if one.operator != operator)
        own = tuple(one for one in several if one.operator == operator)
        found.append(Fold(f"operator {operator}", rest, own))
    for most in (8, 2):
        few = tuple(one for one in several if one.setting.domains <= most)
        many = tuple(one for one in several if one.setting.domains > most)
        found.append(Fold(f"more than {most} domains", few, many))
    small = tuple(cut for one in several if (cut := part(one, 0, LARGE)) is not None)
    large = tuple(cut for one in several if (cut := part(one, LARGE, np.inf)) is not None)
    found.append(Fold("more than 512 MiB", small, large))
    return found


def part(one: Series, above: float, most: float) -> Series | None:
    """A series with only the sizes in (above, most]; none if none are left."""
    keep = (one.size_bytes > above) & (one.size_bytes <= most)
    if not keep.any():
        return None
    return type(one)(one.operator, one.site, one.setting, one.asked, one.size_bytes[keep], one.time_s[keep])


def judge(one: Series, calibration: Calibration, points: int = 0) -> Judged:
    """Ask for a series, with its smallest (and largest) result as measured points if wanted."""
    places = [] if points == 0 else [0, -1][:points]
    keep = np.ones(len(one.size_bytes), bool)
    keep[places] = False
    known = [Point(one.setting, float(one.size_bytes[i]), float(one.time_s[i])) for i in places]
    answer = evaluate(compile_curve(one.setting, known, calibration), one.size_bytes)
    return Judged(
        f"{one.operator}: {one.site}",
        one.several,
        answer.basis,
        one.size_bytes[keep],
        one.time_s[keep],
        answer.time_s[keep],
        answer.low_s[keep],
        answer.high_s[keep],
    )


def score(judged: Iterable[Judged], smallest: float = 0.0) -> Score | None:
    """Median, p90, mean and worst of the sites' medians, and how many fell inside the band."""
    sites: dict[str, list[np.ndarray]] = {}
    inside = []
    for one in judged:
        keep = one.size_bytes >= smallest
        if keep.any():
            sites.setdefault(one.site, []).append(one.error[keep])
            inside.append(((one.measured_s >= one.low_s) & (one.measured_s <= one.high_s))[keep])
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
