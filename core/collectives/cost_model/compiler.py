"""From a setting to its curve: the cheapest line at every knot, its band and its runner-up."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.collectives.cost_model.adapt import (
    FAR_OFF,
    adapted,
    doubts,
    fading_octaves,
    machine_of,
    possible,
    seen,
)
from core.collectives.cost_model.answer import NO_CHOICE
from core.collectives.cost_model.bands import base_band, narrowed, reaching
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.candidates import Candidates, candidates
from core.collectives.cost_model.curve import KNOT_COUNT, KNOT_SIZES, CostCurve, free_curve
from core.collectives.cost_model.errors import CostModelError
from core.collectives.cost_model.line import algorithm_code, protocol_code
from core.collectives.cost_model.setting import check_algorithm_fits, machine_key, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.collectives.cost_model.adapt import Machine, Seen
    from core.collectives.cost_model.calibration import Calibration
    from core.collectives.cost_model.line import Floats, Line
    from core.collectives.cost_model.setting import Point, Resolved, Setting

ONE_BYTE = np.array([1.0])
LN_KNOTS = np.log(KNOT_SIZES)
AGREE = 0.1
"""ln error up to which the points are one machine's: then they bound each other's band."""
MOMENT_S = 1e-12
"""Stands for no time at all where logarithms are taken."""


@lru_cache(maxsize=1024)
def compiled(setting: Setting, points: tuple[Point, ...] = ()) -> CostCurve:
    """The curve of a setting with the shipped constants, kept for the next time it is asked."""
    return compile_curve(setting, points, shipped())


def compile_curve(setting: Setting, points: Sequence[Point], calibration: Calibration) -> CostCurve:
    """The curve of a setting: candidates, adapted to the points of the same machine, the cheapest."""
    asked = resolve(setting)
    check_algorithm_fits(setting)
    if asked.ranks == 1:
        return free_curve("calibrated:one-rank")
    found = candidates(asked, KNOT_SIZES, calibration)
    low, high = base_band(asked, found.basis, KNOT_SIZES, calibration.bands)
    key = machine_key(setting)
    own = [point for point in points if machine_key(point.setting) == key]
    if not own:
        return assemble(found.lines, found, low, high, found.basis)
    known = [(point, _seen(point, setting, calibration)) for point in own]
    found = replace(found, warnings=(*found.warnings, *doubts([one for _, one in known])))
    usable = [(point, one) for point, one in known if possible(one)]
    if not usable:
        return assemble(found.lines, found, low, high, found.basis)
    places = [(point.size_bytes, same_kind(point.setting, setting)) for point, _ in usable]
    low, high = narrowed(low, high, KNOT_SIZES, places)
    machine = _machine(asked, usable, calibration)
    octaves = fading_octaves(setting)
    lines = [adapted(line, machine, KNOT_SIZES, octaves) for line in found.lines]
    off = _missed(lines, [point for point, _ in usable if same_kind(point.setting, setting)])
    low, high = reaching(low, high, KNOT_SIZES, off)
    agree = all(abs(one) < AGREE for _, one in off)
    basis = f"adapted:{len(usable)} points"
    edges = (_rising, _known_from_above) if agree else (_known_from_above, _rising)
    return assemble(lines, found, low, high, basis, edges=edges)


def _missed(lines: Sequence[Line], known: Sequence[Point]) -> list[tuple[float, float]]:
    """How far the adapted model stays off its own points, in ln: contradictory ones cannot all be met."""
    time = np.log(np.maximum.accumulate(np.min([line.time_s for line in lines], axis=0)))
    sizes = np.array([float(point.size_bytes) for point in known])
    off = np.log([point.time_s for point in known]) - np.interp(np.log(sizes), LN_KNOTS, time)
    far = math.log(FAR_OFF)
    return list(zip(sizes.tolist(), np.clip(off, -far, far).tolist(), strict=True))


def same_kind(first: Setting, second: Setting) -> bool:
    """Whether a point was measured with the very operation that is asked for."""
    return (first.collective, first.implementation, first.launch) == (
        second.collective,
        second.implementation,
        second.launch,
    )


def _seen(point: Point, asked: Setting, calibration: Calibration) -> Seen:
    _check_point(point)
    size = np.array([1.0, float(point.size_bytes)])
    lines = candidates(resolve(point.setting), size, calibration).lines
    return seen(lines, point, same_kind=same_kind(point.setting, asked))


def _machine(asked: Resolved, known: Sequence[tuple[Point, Seen]], calibration: Calibration) -> Machine:
    """The machine behind some points; its floor is told from the asked operation where there is one."""
    points = [point for point, _ in known]
    like = next((one for one in points if same_kind(one.setting, asked.setting)), points[0])
    smallest = candidates(resolve(like.setting), ONE_BYTE, calibration).lines
    reference_s = min(float(line.time_s[0]) for line in smallest)
    regime = "one" if asked.domains == 1 else "several"
    return machine_of([one for _, one in known], regime, reference_s)


def _check_point(point: Point) -> None:
    for name in ("size_bytes", "time_s"):
        value = getattr(point, name)
        if not (isinstance(value, int | float | np.number) and math.isfinite(value) and value > 0):
            msg = f"points: {name} must be a positive number, not {value!r}"
            raise CostModelError(msg)


def _rising(log_time: Floats) -> Floats:
    """More bytes never cost less, at either edge of the band."""
    rising: Floats = np.maximum.accumulate(log_time)
    return rising


def _known_from_above(log_time: Floats) -> Floats:
    """What is known of larger messages bounds the smaller ones too."""
    bounded: Floats = np.minimum.accumulate(log_time[::-1])[::-1]
    return bounded


def assemble(
    found: Sequence[Line],
    context: Candidates,
    low: Floats,
    high: Floats,
    basis: str,
    *,
    edges: tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]] = (_rising, _rising),
) -> CostCurve:
    """Put the lines together at every knot; `edges` keep low and high from falling, low from the wire on."""
    times = np.stack([line.time_s for line in found])
    order = np.argsort(times, axis=0)
    best = order[0]
    columns = np.arange(KNOT_COUNT)
    picked = times[best, columns]
    time = np.maximum.accumulate(picked)
    log_time = np.log2(time)
    least = np.log2(np.maximum(np.min([line.least_s for line in found], axis=0), MOMENT_S))

    def share(name: str) -> Floats:
        chosen: Floats = np.stack([getattr(line, name) for line in found])[best, columns] / picked
        return chosen

    algorithms = np.array([algorithm_code(line.algorithm) for line in found], np.int8)
    protocols = np.array([protocol_code(line.protocol) for line in found], np.int8)
    wires = np.array([line.wire_factor for line in found])
    if len(found) > 1:
        second = order[1]
        runner_up = np.log2(np.maximum(times[second, columns], time))
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
