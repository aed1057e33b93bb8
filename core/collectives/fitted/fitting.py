"""Fitting: from measured sweeps to constants of the machine, the curve of each and its residuals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.checks import Floats, InputError
from core.collectives.cost_model.adapt import Adaptation, Observation, observe
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.candidates import candidates
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.machine import machine_key
from core.collectives.cost_model.setting import Point, Setting
from core.collectives.cost_model.version import MODEL_VERSION
from core.collectives.fitted import model
from core.collectives.fitted.clean import FASTER, by_size, cleaned
from core.collectives.fitted.constants import FOLDS, chosen
from core.collectives.fitted.fit import Curve, Fit, LeftOut, MachineConstants, Residuals
from core.collectives.fitted.fit_file import checked_name
from core.collectives.fitted.identify import spreads, unidentified

LEAST_SIZES = 2
TOO_FAST = 0.25
"""From this share of sizes faster than the wire on, the system must be another one."""


@dataclass(frozen=True, slots=True)
class Series:
    """The measured times of one collective at one placement: (size in bytes, seconds) each."""

    setting: Setting
    samples: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Swept:
    """A series after cleaning."""

    setting: Setting
    size_bytes: Floats
    time_s: Floats
    left_out: tuple[LeftOut, ...]


def fit_series(name: str, series: Sequence[Series], *, run_ids: Sequence[str] = (), note: str = "") -> Fit:
    """
    A fit from sweeps of one machine, one collective or several, at one placement or several.

    Raises:
        InputError: A name that no file could have, no series, fewer than two usable sizes, a setting
            that the model cannot answer.
    """
    swept = [_swept(*item) for item in _merged(series)]
    if not swept:
        message = "runs: at least one sweep of a collective over several ranks"
        raise InputError(message)
    machines, curves, residuals = [], [], []
    for group in _by_placement(swept):
        constants, ln_left_out = _constants(group)
        machines.append(constants)
        for item, ln_missed in zip(group, ln_left_out, strict=True):
            curve, residual = _curve(item, constants.adaptation, ln_missed)
            curves.append(curve)
            residuals.append(residual)
    return Fit(
        name=checked_name(name),
        model_version=MODEL_VERSION,
        machines=tuple(machines),
        curves=tuple(curves),
        residuals=tuple(residuals),
        unidentified=unidentified(machines, curves),
        run_ids=tuple(dict.fromkeys(run_ids)),
        note=note,
    )


def _merged(series: Sequence[Series]) -> list[tuple[Setting, list[tuple[float, float]]]]:
    """Series of one setting together; the data type and a forced algorithm are no part of it."""
    samples: dict[Setting, list[tuple[float, float]]] = {}
    for item in series:
        key = replace(item.setting, dtype="half", algorithm="auto")
        samples.setdefault(key, []).extend(item.samples)
    return list(samples.items())


def _swept(setting: Setting, samples: list[tuple[float, float]]) -> Swept:
    positive = [(size, time_s) for size, time_s in samples if size > 0 and time_s > 0]
    sizes, times = by_size(positive)
    try:
        _, lines = model.lines_of(setting)
    except InputError as problem:
        message = f"runs: {problem}"
        raise InputError(message) from None
    modelled = np.exp(model.at(model.ln_time(lines), sizes))
    usable = cleaned(sizes, times, modelled, np.exp(model.at(model.ln_wire(lines), sizes)))
    faster = sum(sample.why == FASTER for sample in usable.left_out)
    if faster > TOO_FAST * len(sizes):
        message = (
            f"system: {faster} of {len(sizes)} sizes of {setting.collective} are faster than its link rates "
            "allow; is it the right one, with all its NICs?"
        )
        raise InputError(message)
    if len(usable.size_bytes) < LEAST_SIZES:
        message = (
            f"runs: {setting.collective} has {len(usable.size_bytes)} usable sizes, at least {LEAST_SIZES}"
        )
        raise InputError(message)
    return Swept(setting, usable.size_bytes, usable.time_s, usable.left_out)


def _by_placement(swept: list[Swept]) -> list[list[Swept]]:
    groups: dict[tuple[object, ...], list[Swept]] = {}
    for item in swept:
        groups.setdefault(machine_key(item.setting), []).append(item)
    return list(groups.values())


def _constants(group: list[Swept]) -> tuple[MachineConstants, list[Floats]]:
    """The machine behind all sweeps of one placement, and ln of what it misses sizes left out by."""
    first = group[0].setting
    regime = "one" if first.domains == 1 else "several"
    points = [point for item in group for point in _observations(item)]
    folds = [place % FOLDS for item in group for place in range(len(item.size_bytes))]
    smallest = candidates(resolve(first), np.array([1.0]), shipped()).lines
    reference_s = min(float(line.time_s[0]) for line in smallest)
    constants = chosen(points, regime, reference_s, folds)
    sd_latency, sd_transfer = spreads(
        [(item.setting, item.size_bytes, item.time_s) for item in group], constants.adaptation, regime
    )
    ends = np.cumsum([len(item.size_bytes) for item in group])[:-1]
    machine = MachineConstants(
        replace(first, collective="all_reduce"), constants.adaptation, sd_latency, sd_transfer
    )
    return machine, np.split(constants.ln_left_out, ends)


def _observations(item: Swept) -> list[Observation]:
    comm = resolve(item.setting)
    observations = []
    for size, time_s in zip(item.size_bytes.tolist(), item.time_s.tolist(), strict=True):
        lines = candidates(comm, np.array([1.0, size]), shipped()).lines
        observations.append(observe(lines, Point(item.setting, size, time_s), same_kind=True))
    return observations


def _curve(item: Swept, adaptation: Adaptation, ln_missed: Floats) -> tuple[Curve, Residuals]:
    """The curve of a sweep and what calibration, constants and neighbours make of sizes left out."""
    ln_sizes, ln_measured = np.log(item.size_bytes), np.log(item.time_s)
    plain = model.at(model.ln_time(model.lines_of(item.setting)[1]), item.size_bytes)
    adapted = adaptation if not adaptation.neutral else None
    by_constants = model.at(model.ln_time(model.lines_of(item.setting, adapted)[1]), item.size_bytes)
    held_out = np.array([_from_neighbours(item, by_constants, i) for i in range(len(ln_sizes))])
    missed = held_out - ln_measured
    inner = np.abs(missed[1:-1]) if len(missed) > 2 else np.abs(by_constants - ln_measured)  # noqa: PLR2004
    ratios = (plain - ln_measured, plain - ln_measured if adapted is None else ln_missed, missed)
    columns = [tuple(np.exp(column).tolist()) for column in ratios]
    residuals = Residuals(columns[0], columns[1], columns[2], item.left_out)
    curve = Curve(
        item.setting,
        tuple(item.size_bytes.tolist()),
        tuple(item.time_s.tolist()),
        float(np.quantile(inner, 0.68)),
        residuals.best,
    )
    return curve, residuals


def _from_neighbours(item: Swept, ln_model: Floats, i: int) -> float:
    """Ln time of one size by the others: between them, or beyond them by the constants."""
    others = np.arange(len(item.size_bytes)) != i
    wire = np.full(len(item.size_bytes), -np.inf)
    sizes, times = item.size_bytes[others], item.time_s[others]
    return float(model.follow(ln_model, wire, sizes, times, item.size_bytes)[i])
