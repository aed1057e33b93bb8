"""Predict with a fit: along the measured sweep where there is one, by the adapted physics elsewhere."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats, sizes
from core.collectives.cost_model import Prediction, Setting, predict
from core.collectives.cost_model.assembly import assemble
from core.collectives.cost_model.bands import REACH_OCTAVES, base_band, narrowed
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.curve import KNOT_SIZES, CostCurve, evaluate
from core.collectives.cost_model.line import Line
from core.collectives.cost_model.machine import machine_key
from core.collectives.cost_model.version import MODEL_VERSION
from core.collectives.fitted import model
from core.collectives.fitted.fit import CALIBRATED, CONSTANTS, SWEEP, Curve, Fit, MachineConstants

BAND_LEAST = 0.03
"""Half the band, in ln, that even a smooth sweep keeps: two runs of one machine differ so much."""
BAND_WIDTH = 1.28
"""p10 to p90 from p68 of the held-out error, as if it were normal."""
KEPT_NEAR = 0.61
"""Of the band, at a size at which another collective of the placement was measured."""
OTHER_COLLECTIVE = (0.12, 0.25)
OTHER_RANKS = (0.18, 0.4)
"""Half the band, in ln, of what was not measured: at least so much, and so much per ln of the factor
on transfer: the stranger the machine, the less surely its constants carry over."""


def predict_fitted(setting: Setting, size_bytes: ArrayLike, fit: Fit) -> Prediction:
    """
    What a collective costs on the machine of a fit.

    A measured collective at its measured placement follows its sweep and fades into the physics
    outside; any other is answered by the adapted model with a wider band. Other hardware, and whatever
    the fit met no better than the calibration, is answered as calibrated, with a warning.

    Raises:
        InputError: The model cannot answer this setting.
    """
    curve = fitted_curve(setting, fit)
    if curve is None:
        calibrated = predict(setting, size_bytes)
        if setting.domain_gpus * setting.domains == 1:
            return calibrated
        return replace(calibrated, warnings=(*calibrated.warnings, _why_calibrated(setting, fit)))
    return evaluate(curve, sizes("size_bytes", size_bytes))


@lru_cache(maxsize=4096)
def fitted_curve(setting: Setting, fit: Fit) -> CostCurve | None:
    """The compiled answer of a setting, or None where the fit says nothing about it."""
    if setting.domain_gpus * setting.domains == 1:
        return None
    constants = _nearest(setting, fit.machines)
    if constants is None:
        return None
    measured = _measured(setting, fit.curves)
    answered_by = measured.answered_by if measured else CONSTANTS
    if answered_by == CALIBRATED or (answered_by == CONSTANTS and constants.adaptation.neutral):
        return None
    sweep = measured if answered_by == SWEEP else None
    calibrated, lines = model.lines_of(setting, constants.adaptation)
    low, high = base_band(resolve(setting), calibrated, KNOT_SIZES, shipped())
    same_place = machine_key(constants.setting) == machine_key(setting)
    if sweep is not None:
        low, high = _close(low, high, sweep)
    else:
        if same_place:
            low, high = narrowed(low, high, _kept(setting, fit.curves))
        least, more = OTHER_COLLECTIVE if same_place else OTHER_RANKS
        half = least + more * abs(constants.adaptation.ln_transfer)
        low, high = np.minimum(low, -half), np.maximum(high, half)
    warned = replace(calibrated, warnings=(*calibrated.warnings, *_warnings(setting, fit, constants, sweep)))
    curve = assemble(lines, warned, low, high, f"fitted:{fit.name}")
    return curve if sweep is None else _along(curve, lines, setting, constants, sweep)


def _nearest(setting: Setting, machines: Sequence[MachineConstants]) -> MachineConstants | None:
    """The constants of the same hardware, measured at the nearest placement."""
    same_hardware = [
        constants for constants in machines if _hardware(constants.setting) == _hardware(setting)
    ]

    def distance(constants: MachineConstants) -> float:
        domains = setting.domains / constants.setting.domains
        gpus = setting.domain_gpus / constants.setting.domain_gpus
        return abs(math.log(domains)) + abs(math.log(gpus))

    return min(same_hardware, key=distance, default=None)


def _hardware(setting: Setting) -> tuple[object, ...]:
    """What must agree for constants to carry over to other numbers of GPUs."""
    several = setting.domains > 1
    return (setting.gpu, setting.scale_up_link, several, setting.scale_out_link if several else None)


def _measured(setting: Setting, curves: Sequence[Curve]) -> Curve | None:
    """The sweep of the same collective at the same placement, if there is one."""
    key = replace(setting, dtype="half", algorithm="auto")
    return next((curve for curve in curves if curve.setting == key), None)


def _along(
    curve: CostCurve, lines: tuple[Line, ...], setting: Setting, constants: MachineConstants, sweep: Curve
) -> CostCurve:
    """The curve moved onto the measured sweep; a forced algorithm moves by as much as the usual one."""
    auto = lines
    if setting.algorithm != "auto":
        auto = model.lines_of(replace(setting, algorithm="auto"), constants.adaptation)[1]
    usual, wire = model.ln_time(auto), model.ln_wire(auto)
    sizes_bytes, times_s = np.array(sweep.size_bytes), np.array(sweep.time_s)
    more = (model.follow(usual, wire, sizes_bytes, times_s, KNOT_SIZES) - usual) / model.LN_2
    least = np.minimum(model.ln_wire(lines) / model.LN_2, curve.log_time)
    moved = np.maximum(curve.log_time + more, least)
    return replace(curve, log_time=moved, log_runner_up=np.maximum(curve.log_runner_up + more, moved))


def _close(low: Floats, high: Floats, sweep: Curve) -> tuple[Floats, Floats]:
    """A band as narrow as the held-out error along the sweep, opening outside it."""
    half = max(BAND_LEAST, BAND_WIDTH * sweep.scatter)
    first, last = math.log(sweep.size_bytes[0]), math.log(sweep.size_bytes[-1])
    outside = np.maximum(first - model.LN_KNOTS, 0.0) + np.maximum(model.LN_KNOTS - last, 0.0)
    opened = 1.0 - np.exp(-outside / (REACH_OCTAVES * model.LN_2))
    narrow_low, narrow_high = np.maximum(low, -half), np.minimum(high, half)
    return narrow_low + (low - narrow_low) * opened, narrow_high + (high - narrow_high) * opened


def _kept(setting: Setting, curves: Sequence[Curve]) -> Floats:
    """What is left of the band at the knots: other collectives were measured at this placement."""
    kept = np.ones_like(KNOT_SIZES)
    for curve in curves:
        if machine_key(curve.setting) == machine_key(setting):
            octaves = np.abs(np.log2(KNOT_SIZES[:, None] / np.array(curve.size_bytes))).min(axis=1)
            known = KEPT_NEAR + (1 - KEPT_NEAR) * (1 - np.exp(-octaves / REACH_OCTAVES))
            kept = np.minimum(kept, known)
    return kept


def _warnings(
    setting: Setting, fit: Fit, constants: MachineConstants, sweep: Curve | None
) -> tuple[str, ...]:
    warnings = []
    if fit.model_version != MODEL_VERSION:
        warnings.append(
            f"{fit.name} was fitted with model {fit.model_version}, here {MODEL_VERSION}: fit it again"
        )
    if sweep is not None:
        return tuple(warnings)
    if machine_key(constants.setting) != machine_key(setting):
        place = f"{constants.setting.domains} x {constants.setting.domain_gpus} GPUs"
        warnings.append(f"{fit.name}: constants measured on {place} are carried over, with a wider band")
    else:
        measured = _measured(setting, fit.curves) is not None
        why = "is met better by the constants than along its sweep" if measured else "was not measured"
        warnings.append(f"{fit.name}: {setting.collective} {why}, it shares the others' constants")
    return tuple(warnings)


def _why_calibrated(setting: Setting, fit: Fit) -> str:
    """Why the fit does not answer."""
    if _nearest(setting, fit.machines) is not None:
        what = setting.collective if _measured(setting, fit.curves) else "other collectives and placements"
        return f"{fit.name} meets {what} no better than the calibration: answered as calibrated"
    kinds = dict.fromkeys(_hardware_text(constants.setting) for constants in fit.machines)
    return f"{fit.name} is of {' and '.join(kinds)}, not {_hardware_text(setting)}: answered as calibrated"


def _hardware_text(setting: Setting) -> str:
    inside = f"{setting.gpu} on {setting.scale_up_link}"
    return f"{inside} over {setting.scale_out_link}" if setting.domains > 1 else f"{inside} inside a domain"
