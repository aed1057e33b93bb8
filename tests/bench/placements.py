"""Points of a curve wherever they lie on it, beside a plain Gaussian process over the same residuals.

The plain one is what anybody writes in four lines: ln(measured / calibrated) over log2 of the size, a
Matern kernel of 3 octaves and a constant. The yardstick is what both neighbours of a row tell of it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.collectives.cost_model.calibration import Calibration
from core.collectives.refit.data import Sweep
from core.collectives.refit.validation import Comparison, compare, compare_given, places_of
from tests.bench.tables import percent, print_table

OCTAVES, NOISE = 3.0, 0.03
MOST = 9
Places = Callable[[int, int], Sequence[int]]
"""Of so many rows the places of so many points."""


def _middle(rows: int, points: int) -> range:
    start = (rows - points) // 2
    return range(start, start + points)


PLACEMENTS: dict[str, tuple[Places, tuple[int, ...]]] = {
    "evenly over its sizes": (places_of, (2, 3, 5, 9)),
    "its smallest sizes": (lambda _, points: range(points), (1, 3, 9)),
    "its largest sizes": (lambda rows, points: range(rows - points, rows), (1, 3, 9)),
    "sizes in its middle": (_middle, (1, 3, 9)),
    "every second size": (lambda rows, _: range(0, rows, 2), (0,)),
}
HEADER = ("points", "rows", "no point", "plain process", "straight lines", "this model", "in band")


@dataclass(frozen=True, slots=True)
class Placed:
    """
    Errors of the rows of one curve that are no points.

    Attributes:
        before: Of the model without points.
        plain: Of a Gaussian process over the residuals.
        straight: Of straight lines of time over bytes; the nearest point's rate beyond the points.
        after: The model with the points.
    """

    before: Floats
    plain: Floats
    straight: Floats
    after: Comparison


def placed(sweep: Sweep, calibration: Calibration, places: Sequence[int]) -> Placed:
    """One curve with points at some places."""
    given = np.array(list(places))
    others = np.setdiff1d(np.arange(len(sweep.size_bytes)), given)
    usual = compare(sweep, calibration).predicted_s
    measured = sweep.time_s[others]
    off = plain_process(np.log2(sweep.size_bytes), np.log(sweep.time_s / usual), given)
    straight = np.interp(sweep.size_bytes, sweep.size_bytes[given], sweep.time_s[given])
    return Placed(
        np.abs(usual[others] / measured - 1),
        np.abs((usual * np.exp(off))[others] / measured - 1),
        np.abs(straight[others] / measured - 1),
        compare_given(sweep, calibration, given.tolist()),
    )


def plain_process(octaves: Floats, ln_off: Floats, given: np.ndarray) -> Floats:
    """The mean of a Gaussian process of unit variances over the residuals at some places."""
    far = np.sqrt(3) * np.abs(octaves[:, None] - octaves[given]) / OCTAVES
    kernel = 1 + (1 + far) * np.exp(-far)
    mean: Floats = kernel @ np.linalg.solve(kernel[given] + NOISE**2 * np.eye(len(given)), ln_off[given])
    return mean


def report_placements(sweeps: Sequence[Sweep], calibration_for: Callable[[Sweep], Calibration]) -> None:
    """Medians, p90 and means by where the points lie, beside the simpler answers on the same rows."""
    rows = []
    for where, several in (("one domain", False), ("several", True)):
        own = [sweep for sweep in sweeps if sweep.several is several and len(sweep.size_bytes) > MOST]
        for name, (choice, counts) in PLACEMENTS.items():
            for points in counts:
                curves = [
                    placed(sweep, calibration_for(sweep), choice(len(sweep.size_bytes), points))
                    for sweep in own
                ]
                rows.append(_line(f"{where}: {points or ''} {name}".replace("  ", " "), curves))
    print_table("Points of a curve by where they lie, its other sizes: median / p90 / mean", HEADER, rows)


def _line(name: str, curves: Sequence[Placed]) -> tuple[str, ...]:
    methods = (
        [item.before for item in curves],
        [item.plain for item in curves],
        [item.straight for item in curves],
        [item.after.error for item in curves],
    )
    inside = np.concatenate([item.after.inside for item in curves])
    return (name, str(inside.size), *map(_errors, methods), percent(float(inside.mean())))


def _errors(parts: Iterable[Floats]) -> str:
    every = np.concatenate(list(parts))
    figures = (np.median(every), np.quantile(every, 0.9), every.mean())
    return " / ".join(percent(float(figure)) for figure in figures)
