"""From a setting to its curve: candidate lines, adapted to measured points, and the band that they leave."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from core.collectives.cost_model.assembly import COLUMNS, assemble, bounded_from_above, rising_edge
from core.collectives.cost_model.bands import left_by_points, narrowed, reaching
from core.collectives.cost_model.calibration import Calibration, shipped
from core.collectives.cost_model.candidates import Candidates, candidates
from core.collectives.cost_model.causes import Explanations, explanations, joined
from core.collectives.cost_model.chords import ACROSS, INSIDE, between_points
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.curve import KNOT_SIZES, CostCurve, TimeCurve, free_curve
from core.collectives.cost_model.degraded import degraded_warnings
from core.collectives.cost_model.line import Line, slowed
from core.collectives.cost_model.machine import cluster_key
from core.collectives.cost_model.measured import (
    FAR_OFF,
    Measured,
    beside,
    check_point,
    operation_of,
    point_warnings,
    smoothed,
)
from core.collectives.cost_model.posterior import posterior, rising
from core.collectives.cost_model.prior import LN_KNOTS, Prior, prior_of
from core.collectives.cost_model.setting import Point, Setting

AGREE = 0.1
"""
ln error up to which the points of one domain are of one host: then they bound each other's band. Across
domains one message in twenty takes a fifth longer than a larger one does, inside one in eighty.
"""


@lru_cache(maxsize=1024)
def compiled(setting: Setting, points: tuple[Point, ...] = ()) -> CostCurve:
    """The curve of a setting with the shipped constants, cached."""
    return compile_curve(setting, points, shipped())


@lru_cache(maxsize=8192)
def compiled_times(setting: Setting) -> TimeCurve:
    """
    Of that curve time and latency alone, for searches that change a rate: half the work without a band.

    Raises:
        InputError: A setting that the model cannot answer.
    """
    comm = resolve(setting)
    if comm.ranks == 1:
        free = compiled(setting)
        return TimeCurve(free.log_time, free.latency_share, free.basis)
    context = candidates(comm, KNOT_SIZES, shipped())
    times = np.array([line.time_s for line in context.lines])
    latencies = np.array([line.latency_s for line in context.lines])
    picked_s, quickest = times.min(axis=0), times.argmin(axis=0)
    log_time = np.log2(np.maximum.accumulate(picked_s))
    largest = shipped().largest_bytes(context.basis, setting.collective)
    share = latencies[quickest, COLUMNS] / picked_s
    return TimeCurve(log_time, share, str(context.basis), largest, _beyond(context, largest))


def _beyond(context: Candidates, largest_bytes: float) -> str:
    """What messages rest on that are larger than any that was measured."""
    return str(context.basis.beyond(largest_bytes)) if math.isfinite(largest_bytes) else ""


def compile_curve(setting: Setting, points: Sequence[Point], calibration: Calibration) -> CostCurve:
    """
    The curve of a setting: candidate lines, adapted to measured points of the same cluster, the cheapest.

    Raises:
        InputError: A setting that the model cannot answer, or a point that is no measurement.
    """
    comm = resolve(setting)
    if comm.ranks == 1:
        return free_curve("calibrated:one-rank")
    prior = prior_of(setting, calibration)
    measured = _measured(setting, points, prior, calibration)
    if measured:
        warnings = (*prior.context.warnings, *point_warnings(measured), *degraded_warnings(measured))
        prior = replace(prior, context=replace(prior.context, warnings=warnings))
    usable = [item for item in measured if item.possible]
    if usable:
        return _adapted_curve(prior, usable)
    curve = assemble(prior.context.lines, prior.context, prior.low, prior.high, str(prior.context.basis))
    largest = prior.largest_bytes
    return replace(curve, largest_bytes=largest, basis_beyond=_beyond(prior.context, largest))


def _measured(
    setting: Setting, points: Sequence[Point], prior: Prior, calibration: Calibration
) -> list[Measured]:
    """The points of the same cluster, each beside the calibrated answer to its own setting."""
    if not points:
        return []
    key = cluster_key(setting)
    priors = {setting: prior}
    measured = []
    for point in points:
        if cluster_key(point.setting) != key:
            continue
        check_point(point)
        if point.setting not in priors:
            priors[point.setting] = prior_of(point.setting, calibration)
        measured.append(beside(point, priors[point.setting], setting))
    return measured


def _adapted_curve(prior: Prior, usable: Sequence[Measured]) -> CostCurve:
    """The curve on the cluster behind some points, with the band they leave."""
    operations = {operation_of(prior.comm.setting): 0}
    implementations = {prior.comm.setting.implementation: 0}
    known = []
    for item in usable:
        setting = item.point.setting
        operation = operations.setdefault(operation_of(setting), len(operations))
        implementation = implementations.setdefault(setting.implementation, len(implementations))
        size = np.array([float(item.point.size_bytes)])
        known.append(item.prior.places(size, operation, implementation))
    ln_off, doubt = smoothed(usable)
    wanted = prior.places(KNOT_SIZES, 0, 0)
    after = posterior(joined(known), ln_off, doubt, wanted, explanations_of(prior))
    own = [item for item in usable if item.own]
    sizes = np.array([float(item.point.size_bytes) for item in own])
    moved = prior.ln_time + after.ln_off
    neighbours = INSIDE if prior.comm.domains == 1 else ACROSS
    drawn = between_points(KNOT_SIZES, moved, after.ln_off - after.usual, wanted.spread, sizes, neighbours)
    kept = np.sqrt(after.kept**2 + drawn.variance / wanted.spread**2)
    moved = rising(drawn.ln_time, kept)
    lines = [slowed(line, np.exp(moved - prior.ln_time)) for line in prior.context.lines]
    misses = _misses(lines, own)
    low, high = narrowed(prior.low, prior.high, left_by_points(KNOT_SIZES, kept))
    low, high = reaching(low, high, KNOT_SIZES, misses)
    agree = prior.comm.domains == 1 and bool(own) and all(abs(ln_off) < AGREE for _, ln_off in misses)
    edges = (rising_edge, bounded_from_above) if agree else (bounded_from_above, rising_edge)
    return assemble(lines, prior.context, low, high, f"adapted:{len(usable)} points", edges=edges)


def explanations_of(prior: Prior) -> Explanations:
    """What may explain the errors of a setting."""
    return explanations(prior.comm.domains, fitted=prior.context.fitted)


def _misses(lines: Sequence[Line], measured: Sequence[Measured]) -> list[tuple[float, float]]:
    """How far the adapted model stays off its own points, in ln: contradictory ones cannot all be met."""
    time = np.log(np.maximum.accumulate(np.min([line.time_s for line in lines], axis=0)))
    sizes = np.array([float(item.point.size_bytes) for item in measured])
    ln_off = np.log([item.point.time_s for item in measured]) - np.interp(np.log(sizes), LN_KNOTS, time)
    far = math.log(FAR_OFF)
    return list(zip(sizes.tolist(), np.clip(ln_off, -far, far).tolist(), strict=True))
