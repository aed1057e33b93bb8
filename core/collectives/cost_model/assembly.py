"""Lines over the knots put together: the cheapest at each, its parts, its band and its runner-up."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.cost_model.answer import NO_CHOICE
from core.collectives.cost_model.candidates import Candidates
from core.collectives.cost_model.curve import KNOT_COUNT, CostCurve
from core.collectives.cost_model.line import Line, algorithm_code, protocol_code
from core.collectives.cost_model.prior import MOMENT_S


def rising_edge(log_time: Floats) -> Floats:
    """More bytes never cost less, at either edge of the band."""
    rising: Floats = np.maximum.accumulate(log_time)
    return rising


def bounded_from_above(log_time: Floats) -> Floats:
    """What is known of larger messages bounds the smaller ones too."""
    bounded: Floats = np.minimum.accumulate(log_time[::-1])[::-1]
    return bounded


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The cheapest of some lines at every knot: ``order`` of all of them, and its time, which never falls."""

    lines: Sequence[Line]
    order: NDArray[np.intp]
    picked_s: Floats
    time_s: Floats
    times_s: Floats

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "Cheapest":
        """Of lines over the knots."""
        times = np.stack([line.time_s for line in lines])
        order = np.argsort(times, axis=0)
        picked = times[order[0], COLUMNS]
        return cls(lines, order, picked, np.maximum.accumulate(picked), times)

    def share(self, name: str) -> Floats:
        """A part of the time as a share of it."""
        parts = np.stack([getattr(line, name) for line in self.lines])
        shares: Floats = parts[self.order[0], COLUMNS] / self.picked_s
        return shares


COLUMNS = np.arange(KNOT_COUNT)


def assemble(
    lines: Sequence[Line],
    context: Candidates,
    low: Floats,
    high: Floats,
    basis: str,
    *,
    edges: tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]] = (rising_edge, rising_edge),
) -> CostCurve:
    """Put the lines together at every knot; `edges` keep low and high from falling, low from the wire on."""
    cheapest = Cheapest.of(lines)
    best, share = cheapest.order[0], cheapest.share
    log_time = np.log2(cheapest.time_s)
    least = np.log2(np.maximum(np.min([line.least_s for line in lines], axis=0), MOMENT_S))
    algorithms = np.array([algorithm_code(line.algorithm) for line in lines], np.int8)
    protocols = np.array([protocol_code(line.protocol) for line in lines], np.int8)
    wires = np.array([line.wire_factor for line in lines])
    if len(lines) > 1:
        second = cheapest.order[1]
        runner_up = np.log2(np.maximum(cheapest.times_s[second, COLUMNS], cheapest.time_s))
        runner_algorithm, runner_protocol = algorithms[second], protocols[second]
    else:
        runner_up = np.full(KNOT_COUNT, np.nan)
        runner_algorithm = np.full(KNOT_COUNT, NO_CHOICE, np.int8)
        runner_protocol = np.zeros(KNOT_COUNT, np.int8)
    return CostCurve(
        log_time=log_time,
        log_low=np.maximum(edges[0](log_time + low / math.log(2.0)), least) - log_time,
        log_high=edges[1](log_time + high / math.log(2.0)) - log_time,
        log_runner_up=runner_up,
        launch_share=share("launch_s"),
        latency_share=share("latency_s"),
        reduction_share=share("reduction_s"),
        wire_factor=wires[best],
        algorithm=algorithms[best],
        protocol=protocols[best],
        runner_up_algorithm=runner_algorithm,
        runner_up_protocol=runner_protocol,
        basis=basis,
        warnings=context.warnings,
        sources=context.sources,
    )
