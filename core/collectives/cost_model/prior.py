"""What the calibration alone says about a setting, over the knots of its curve."""

import math
from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.collectives.cost_model.bands import base_band
from core.collectives.cost_model.calibration import Calibration
from core.collectives.cost_model.candidates import Candidates, candidates
from core.collectives.cost_model.causes import Places
from core.collectives.cost_model.communicator import Communicator, resolve
from core.collectives.cost_model.curve import KNOT_SIZES
from core.collectives.cost_model.domains import domain_for
from core.collectives.cost_model.line import Line
from core.collectives.cost_model.one_domain import CHAINS
from core.collectives.cost_model.posterior import spread_of
from core.collectives.cost_model.residuals import usual_residual
from core.collectives.cost_model.setting import Setting

LN_KNOTS = np.log(KNOT_SIZES)
IN_BLOCKS = ("all_gather", "reduce_scatter", "all_to_all", "gather", "scatter")
"""Collectives that hand a network blocks of size / ranks: its protocol goes by those, not by the message."""
MOMENT_S = 1e-12
"""Stands for no time at all where logarithms are taken."""


@dataclass(frozen=True, slots=True)
class Prior:
    """
    A setting before any measured point, arrays over the knots.

    Attributes:
        ln_time: Of the cheapest line; more bytes never cost less.
        ln_least: Of what the bare wire needs.
        waiting: Launch and latency's share of the time.
        low, high: The band's ends, ln of their distance from the time.
        kin: What measured machines of this kind share beyond the time, ln.
        largest_bytes: The largest message that the constants were measured with.
    """

    comm: Communicator
    context: Candidates
    ln_time: Floats
    ln_least: Floats
    waiting: Floats
    low: Floats
    high: Floats
    kin: Floats
    largest_bytes: float

    def at(self, column: Floats, size_bytes: Floats) -> Floats:
        """A column over the knots read at sizes."""
        values: Floats = np.interp(np.log(np.maximum(size_bytes, 1.0)), LN_KNOTS, column)
        return values

    def _log2_piece(self, size_bytes: Floats) -> Floats:
        """Octaves of what goes to the network at once: for each domain where a collective moves blocks."""
        pieces = self.comm.domains if self.comm.setting.collective in IN_BLOCKS else 1
        octaves: Floats = np.log2(np.maximum(size_bytes, 1.0) / pieces)
        return octaves

    def places(self, size_bytes: Floats, operation: int, implementation: int) -> Places:
        """Where answers of these sizes lie among those whose errors go together."""
        ones = np.ones(len(size_bytes))
        waiting = self.at(self.waiting, size_bytes)
        trees = self.comm.domains == 2 and self.comm.setting.collective in ("all_reduce", *CHAINS)
        return Places(
            self._log2_piece(size_bytes),
            (self.at(self.ln_time, size_bytes) - self.ln_time[0]) / math.log(2.0),
            ones * np.log2(self.comm.domains),
            (1.0 - waiting) * trees,
            waiting,
            np.full(len(size_bytes), operation, np.intp),
            np.full(len(size_bytes), implementation, np.intp),
            spread_of(self.at(self.low, size_bytes), self.at(self.high, size_bytes)),
            self.at(self.kin, size_bytes),
        )


def prior_of(setting: Setting, calibration: Calibration) -> Prior:
    """
    The calibration's lines for a setting and their band.

    Raises:
        InputError: A setting that the model cannot answer.
    """
    comm = resolve(setting)
    context = candidates(comm, KNOT_SIZES, calibration)
    times = np.stack([line.time_s for line in context.lines])
    best, columns = np.argmin(times, axis=0), np.arange(KNOT_SIZES.size)
    picked = times[best, columns]
    waits = np.stack([line.launch_s + line.latency_s for line in context.lines])[best, columns]
    low, high = base_band(comm, context, KNOT_SIZES, calibration)
    return Prior(
        comm,
        context,
        np.log(np.maximum(np.maximum.accumulate(picked), MOMENT_S)),
        ln_least(context.lines),
        waits / picked,
        low,
        high,
        _kin(comm, context, calibration),
        calibration.largest_bytes(context.basis, setting.collective),
    )


def _kin(comm: Communicator, context: Candidates, calibration: Calibration) -> Floats:
    """What machines of this kind share; nothing across domains, or of a kind that nobody measured."""
    if comm.domains > 1 or not context.fitted or comm.setting.algorithm != "auto":
        return np.zeros_like(KNOT_SIZES)
    name = domain_for(comm, calibration.domains).constants.name
    return usual_residual(comm, KNOT_SIZES, calibration.residuals.get(name, ()))


def ln_least(lines: tuple[Line, ...]) -> Floats:
    """Ln of what the bare wire needs, by the line that asks least of it."""
    least: Floats = np.log(np.maximum(np.min([line.least_s for line in lines], axis=0), MOMENT_S))
    return least
