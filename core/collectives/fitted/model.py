"""The model behind a fit: its lines as one machine would run them, and a measured sweep that it follows."""

import math

import numpy as np

from core.checks import Floats
from core.collectives.cost_model.adapt import Adaptation, adapted, fading_octaves
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.candidates import Candidates, candidates
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.curve import KNOT_SIZES
from core.collectives.cost_model.line import Line
from core.collectives.cost_model.setting import Setting

LN_KNOTS = np.log(KNOT_SIZES)
LN_2 = math.log(2.0)
TINY_S = 1e-15
FADE_OCTAVES = 12.0
"""Beyond the measured sizes what the model is off at the last one falls by e in so many octaves."""


def lines_of(setting: Setting, adaptation: Adaptation | None = None) -> tuple[Candidates, tuple[Line, ...]]:
    """The candidates of a setting over the model's knots, and their lines on this machine."""
    calibrated = candidates(resolve(setting), KNOT_SIZES, shipped())
    if adaptation is None:
        return calibrated, calibrated.lines
    octaves = fading_octaves(setting)
    return calibrated, tuple(adapted(line, adaptation, KNOT_SIZES, octaves) for line in calibrated.lines)


def ln_time(lines: tuple[Line, ...]) -> Floats:
    """Ln of the cheapest line's time at the knots; it never falls."""
    cheapest = np.min([line.time_s for line in lines], axis=0)
    logs: Floats = np.log(np.maximum.accumulate(cheapest))
    return logs


def at(ln_knots: Floats, sizes: Floats) -> Floats:
    """A column over the knots, read at sizes; beyond the last knot it goes on as it went."""
    where = np.log(np.maximum(sizes, 1.0))
    beyond = np.maximum(where - LN_KNOTS[-1], 0.0)
    slope = (ln_knots[-1] - ln_knots[-2]) / (LN_KNOTS[-1] - LN_KNOTS[-2])
    read: Floats = np.interp(where, LN_KNOTS, ln_knots) + beyond * slope
    return read


def ln_wire(lines: tuple[Line, ...]) -> Floats:
    """Ln of what the bare wire needs at the knots, by the line that asks least of it."""
    wire = np.min([line.least_s for line in lines], axis=0)
    logs: Floats = np.log(np.maximum(wire, TINY_S))
    return logs


def follow(ln_model: Floats, wire: Floats, sizes: Floats, times: Floats, where: Floats) -> Floats:
    """
    Ln time at ``where`` (bytes) along measured times, and by the model beyond them.

    Between two sizes time is a straight line over bytes, latency plus bytes over rate, which meets
    sizes left out better than any interpolation in logarithms. Outside, the model carries on from
    the last point, and what it is off there fades; it never outruns the wire.

    Args:
        ln_model: Ln of the model's time at ``where``.
        wire: Ln of what the bare wire needs at ``where``.
        sizes: Measured sizes, rising.
        times: Measured times.
        where: Sizes to answer, rising.
    """
    ln_where, ends = np.log(where), np.log(sizes[[0, -1]])
    ln_times: Floats = np.log(np.interp(where, sizes, times))
    ln_off = np.log(times[[0, -1]]) - np.interp(ends, ln_where, ln_model)
    below, above = where < sizes[0], where > sizes[-1]
    for side, octaves, off in (
        (below, (ends[0] - ln_where) / LN_2, ln_off[0]),
        (above, (ln_where - ends[1]) / LN_2, ln_off[1]),
    ):
        carried = ln_model + off * np.exp(-np.maximum(octaves, 0.0) / FADE_OCTAVES)
        ln_times[side] = np.maximum(carried, np.minimum(wire, ln_model))[side]
    ln_times[below] = np.minimum(ln_times[below], math.log(times[0]))
    ln_times[above] = np.maximum.accumulate(np.maximum(ln_times[above], math.log(times[-1])))
    return ln_times
