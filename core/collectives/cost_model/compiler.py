"""From a setting to its curve: the cheapest line at every knot, its band and its runner-up."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from core.checks import Floats, InputError
from core.collectives.cost_model.adapt import (
    FAR_OFF,
    Adaptation,
    Observation,
    adapted,
    fading_octaves,
    fit_adaptation,
    observe,
    point_warnings,
    possible,
)
from core.collectives.cost_model.answer import NO_CHOICE
from core.collectives.cost_model.bands import base_band, narrowed, reaching
from core.collectives.cost_model.calibration import Calibration, shipped
from core.collectives.cost_model.candidates import Candidates, candidates
from core.collectives.cost_model.communicator import Communicator, machine_key, resolve
from core.collectives.cost_model.curve import KNOT_COUNT, KNOT_SIZES, CostCurve, free_curve
from core.collectives.cost_model.line import Line, algorithm_code, protocol_code
from core.collectives.cost_model.setting import Point, Setting, check_algorithm_fits

ONE_BYTE = np.array([1.0])
LN_KNOTS = np.log(KNOT_SIZES)
AGREE = 0.1
"""ln error up to which the points are of one cluster: then they bound each other's band."""
MOMENT_S = 1e-12
"""Stands for no time at all where logarithms are taken."""


@lru_cache(maxsize=1024)
def compiled(setting: Setting, points: tuple[Point, ...] = ()) -> CostCurve:
    """The curve of a setting with the shipped constants, cached."""
    return compile_curve(setting, points, shipped())


def compile_curve(setting: Setting, points: Sequence[Point], calibration: Calibration) -> CostCurve:
    """
    The curve of a setting: candidate lines, adapted to measured points of the same cluster, the cheapest.

    Raises:
        InputError: A setting that the model cannot answer, or a point that is no measurement.
    """
    comm = resolve(setting)
    check_algorithm_fits(setting)
    if comm.ranks == 1:
        return free_curve("calibrated:one-rank")
    calibrated = candidates(comm, KNOT_SIZES, calibration)
    observations = _observations(setting, points, calibration)
    if observations:
        warnings = (*calibrated.warnings, *point_warnings(observations))
        calibrated = replace(calibrated, warnings=warnings)
    usable = [observation for observation in observations if possible(observation)]
    if usable:
        return _adapted_curve(comm, calibrated, usable, calibration)
    low, high = base_band(comm, calibrated, KNOT_SIZES, calibration.bands)
    return assemble(calibrated.lines, calibrated, low, high, str(calibrated.basis))


def _observations(setting: Setting, points: Sequence[Point], calibration: Calibration) -> list[Observation]:
    """The points of the same cluster, each beside the calibrated lines at its size."""
    if not points:
        return []
    key = machine_key(setting)
    observations = []
    for point in points:
        if machine_key(point.setting) != key:
            continue
        _check_point(point)
        size = np.array([1.0, float(point.size_bytes)])
        lines = candidates(resolve(point.setting), size, calibration).lines
        observations.append(observe(lines, point, same_kind=same_kind(point.setting, setting)))
    return observations


def _adapted_curve(
    comm: Communicator, calibrated: Candidates, usable: Sequence[Observation], calibration: Calibration
) -> CostCurve:
    """The curve on the cluster behind some points, with the band they leave."""
    low, high = base_band(comm, calibrated, KNOT_SIZES, calibration.bands)
    low, high = narrowed(low, high, KNOT_SIZES, [(point.size_bytes, point.same_kind) for point in usable])
    adaptation = _adaptation(comm, usable, calibration)
    octaves = fading_octaves(comm.setting)
    lines = [adapted(line, adaptation, KNOT_SIZES, octaves) for line in calibrated.lines]
    misses = _misses(lines, [point for point in usable if point.same_kind])
    low, high = reaching(low, high, KNOT_SIZES, misses)
    agree = all(abs(ln_off) < AGREE for _, ln_off in misses)
    edges = (_rising, _bounded_from_above) if agree else (_bounded_from_above, _rising)
    return assemble(lines, calibrated, low, high, f"adapted:{len(usable)} points", edges=edges)


def _misses(lines: Sequence[Line], observations: Sequence[Observation]) -> list[tuple[float, float]]:
    """How far the adapted model stays off its own points, in ln: contradictory ones cannot all be met."""
    time = np.log(np.maximum.accumulate(np.min([line.time_s for line in lines], axis=0)))
    sizes = np.array([observation.size_bytes for observation in observations])
    measured = np.log([observation.point.time_s for observation in observations])
    ln_off = measured - np.interp(np.log(sizes), LN_KNOTS, time)
    far = math.log(FAR_OFF)
    return list(zip(sizes.tolist(), np.clip(ln_off, -far, far).tolist(), strict=True))


def same_kind(first: Setting, second: Setting) -> bool:
    """Whether two settings run the same operation: collective, implementation and launch."""
    return (first.collective, first.implementation, first.launch) == (
        second.collective,
        second.implementation,
        second.launch,
    )


def _adaptation(comm: Communicator, usable: Sequence[Observation], calibration: Calibration) -> Adaptation:
    """The cluster behind some points; its floor comes from the same operation where that was measured."""
    reference = next((observation for observation in usable if observation.same_kind), usable[0])
    smallest = candidates(resolve(reference.point.setting), ONE_BYTE, calibration).lines
    reference_s = min(float(line.time_s[0]) for line in smallest)
    return fit_adaptation(usable, "one" if comm.domains == 1 else "several", reference_s)


def _check_point(point: Point) -> None:
    for name in ("size_bytes", "time_s"):
        value = getattr(point, name)
        if not (isinstance(value, int | float | np.number) and math.isfinite(value) and value > 0):
            message = f"points: {name}: a positive number, not {value!r}"
            raise InputError(message)


def _rising(log_time: Floats) -> Floats:
    """More bytes never cost less, at either edge of the band."""
    rising: Floats = np.maximum.accumulate(log_time)
    return rising


def _bounded_from_above(log_time: Floats) -> Floats:
    """What is known of larger messages bounds the smaller ones too."""
    bounded: Floats = np.minimum.accumulate(log_time[::-1])[::-1]
    return bounded


def assemble(
    lines: Sequence[Line],
    context: Candidates,
    low: Floats,
    high: Floats,
    basis: str,
    *,
    edges: tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]] = (_rising, _rising),
) -> CostCurve:
    """Put the lines together at every knot; `edges` keep low and high from falling, low from the wire on."""
    times = np.stack([line.time_s for line in lines])
    order = np.argsort(times, axis=0)
    best = order[0]
    columns = np.arange(KNOT_COUNT)
    picked = times[best, columns]
    time = np.maximum.accumulate(picked)
    log_time = np.log2(time)
    least = np.log2(np.maximum(np.min([line.least_s for line in lines], axis=0), MOMENT_S))

    def share(name: str) -> Floats:
        shares: Floats = np.stack([getattr(line, name) for line in lines])[best, columns] / picked
        return shares

    algorithms = np.array([algorithm_code(line.algorithm) for line in lines], np.int8)
    protocols = np.array([protocol_code(line.protocol) for line in lines], np.int8)
    wires = np.array([line.wire_factor for line in lines])
    if len(lines) > 1:
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
