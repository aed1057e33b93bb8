"""Measured points beside the calibrated answer: which count, how far they are off, what is strange."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats, InputError
from core.collectives.cost_model.prior import Prior
from core.collectives.cost_model.setting import Point, Setting
from core.units import format_size, format_time

FAR_OFF = 5.0
"""Times slower or faster than usual, beyond which a point is doubted; hosts of a kind differ 2.6."""
LEAST_OPERATION_S = 1e-6
"""No GPU starts and ends a kernel that hears from another GPU in less."""
DISTURBED, DOUBTED = 0.5, 0.75
"""Of the ln by which a message took longer than a larger one: what is taken off, and how far it is doubted.
Humps are as often the network's as a disturbance."""
WARM_UP = 1.5
"""Times a message takes longer than a larger one of the same sweep: its run had not warmed up."""
FLAT_BYTES, JUMP = 4096.0, 1.3
"""Up to this size time hardly rises: of rows that took so many times longer beside the calibration than the
one before, ten were disturbed and three were followed by others as slow (317 curves). Doubt begins there and
is whole from ``WARM_UP`` on."""


@dataclass(frozen=True, slots=True)
class Measured:
    """
    A point beside what the calibration says of it.

    Attributes:
        expected_s: What calibrated clusters of this kind take.
        least_s: What the bare wire needs.
        own: It is of the curve that is answered: operation and domains.
        slowest: Ln of the band's slow end over what calibrated clusters take.
    """

    point: Point
    prior: Prior
    expected_s: float
    least_s: float
    own: bool
    slowest: float

    @property
    def possible(self) -> bool:
        """Whether neither the wire nor the launch of a kernel forbids the time."""
        return self.point.time_s >= max(self.least_s, LEAST_OPERATION_S)

    @property
    def ln_off(self) -> float:
        """Ln of measured over calibrated time; an implausibly fast point counts as FAR_OFF faster."""
        return max(math.log(self.point.time_s / self.expected_s), -math.log(FAR_OFF))


def operation_of(setting: Setting) -> tuple[str, str, str]:
    """What a setting runs: collective, implementation and launch."""
    return (setting.collective, setting.implementation, setting.launch)


def check_point(point: Point) -> None:
    """Refuse a point that is no measurement; raises InputError."""
    for name in ("size_bytes", "time_s"):
        value = getattr(point, name)
        if not (isinstance(value, int | float | np.number) and math.isfinite(value) and value > 0):
            message = f"points: {name}: a positive number, not {value!r}"
            raise InputError(message)


def beside(point: Point, prior: Prior, setting: Setting) -> Measured:
    """A point beside the calibrated answer to its own setting, for an answer to another one."""
    size = np.array([float(point.size_bytes)])
    own = operation_of(point.setting) == operation_of(setting) and point.setting.domains == setting.domains
    ln_expected, ln_least, slowest = (
        float(prior.at(column, size)[0]) for column in (prior.ln_time, prior.ln_least, prior.high)
    )
    return Measured(point, prior, math.exp(ln_expected), math.exp(ln_least), own, slowest)


def smoothed(points: Sequence[Measured]) -> tuple[Floats, Floats]:
    """
    Ln off of each point and how far it is doubted, in ln.

    No message takes longer than a larger one: a point that did counts as halfway between the two, and
    doubted by more than that. The first rows of a sweep are often such, before it warmed up. The largest
    small message is doubted alike where it took far longer than smaller ones.
    """
    ln_off = np.array([point.ln_off for point in points])
    doubt = np.zeros(len(points))
    for rows in curves_of(points):
        ln_time = ln_off[rows] + np.log([points[row].expected_s for row in rows])
        longer = ln_time - np.minimum.accumulate(ln_time[::-1])[::-1]
        longer = np.maximum(longer, _jump(points, rows, ln_off[rows]))
        doubt[rows] = DOUBTED * longer
        ln_off[rows] -= DISTURBED * longer
        first = points[rows[0]].point
        if first.setting.domains == 1 and first.size_bytes <= FLAT_BYTES:
            doubt[rows[0]] += _cold(float(ln_off[rows[0]]), np.delete(ln_off, rows[0]))
    return ln_off, doubt


def _cold(ln_off: float, others: Floats) -> float:
    """
    The ln by which a first row is slower than any such host and all other points: it was measured cold.

    Across domains it may be the host: one pair of nodes takes 220 us for anything up to 512 KiB.
    """
    return max(ln_off - max(float(others.max(initial=0.0)), math.log(FAR_OFF)), 0.0)


def _jump(points: Sequence[Measured], rows: NDArray[np.intp], ln_off: Floats) -> Floats:
    """Of the last small message the ln by which it took longer than smaller ones, where that is too much."""
    jump = np.zeros(len(rows))
    size_bytes = np.array([points[row].point.size_bytes for row in rows])
    small = size_bytes[size_bytes <= FLAT_BYTES]
    smaller = np.flatnonzero(size_bytes < small.max(initial=0.0))
    if smaller.size:
        last = small.size - 1
        excess = ln_off[last] - ln_off[smaller].min()
        jump[last] = excess * np.interp(excess, (math.log(JUMP), math.log(WARM_UP)), (0.0, 1.0))
    return jump


def curves_of(points: Sequence[Measured]) -> list[NDArray[np.intp]]:
    """The places of points of one curve each, in order of size."""
    curves: dict[tuple[object, ...], list[int]] = {}
    for place, item in enumerate(points):
        setting = item.point.setting
        curves.setdefault((*operation_of(setting), setting.domains), []).append(place)
    return [
        np.array(sorted(places, key=lambda place: points[place].point.size_bytes), np.intp)
        for places in curves.values()
    ]


def point_warnings(points: Sequence[Measured]) -> tuple[str, ...]:
    """What is strange about measured points: past the bare wire, far from any machine, not warmed up."""
    warnings = []
    for item in points:
        said = f"measured {format_time(item.point.time_s)} for {format_size(item.point.size_bytes)}"
        if not item.possible and item.least_s < LEAST_OPERATION_S:
            warnings.append(
                f"{said}: no GPU takes less than {format_time(LEAST_OPERATION_S)}; check the unit"
            )
        elif not item.possible:
            warnings.append(f"{said}: the bare wire needs {format_time(item.least_s)}; check size and unit")
        elif not 1 / FAR_OFF < item.point.time_s / item.expected_s < FAR_OFF:
            usual = format_time(item.expected_s)
            warnings.append(f"{said}: machines of this kind take about {usual}; check size and unit")
    usable = [item for item in points if item.possible]
    return (*warnings, *_not_warmed_up(usable))


def _not_warmed_up(points: Sequence[Measured]) -> list[str]:
    """A line for each point that took far longer than a larger message of its sweep, or than small ones."""
    warnings = []
    ln_off = np.array([point.ln_off for point in points])
    for rows in curves_of(points):
        for row in rows[_jump(points, rows, ln_off[rows]) > math.log(WARM_UP)]:
            point = points[row].point
            warnings.append(
                f"measured {format_time(point.time_s)} for {format_size(point.size_bytes)}, far more than "
                "for fewer bytes: disturbed, or another protocol; it counts for little"
            )
        times = np.array([points[row].point.time_s for row in rows])
        later = np.minimum.accumulate(times[::-1])[::-1]
        for row, time_s, least_s in zip(rows, times, later, strict=True):
            if (
                time_s > WARM_UP * least_s
                and points[row].point.size_bytes != points[rows[-1]].point.size_bytes
            ):
                size = format_size(points[row].point.size_bytes)
                warnings.append(
                    f"measured {format_time(time_s)} for {size}, but {format_time(least_s)} for more bytes: "
                    "not warmed up, or disturbed; it counts for little"
                )
    return warnings
