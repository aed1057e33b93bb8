"""The fit file, written: a fit as JSON."""

import json
from typing import Any

from core.collectives.cost_model.setting import Setting
from core.collectives.fitted.fit import Curve, Fit, MachineConstants, Residuals

FORMAT_VERSION = 1
"""History: 1 (2026-11) first version."""
KEYS = (
    *("format_version", "name", "model_version", "constants", "residuals", "run_ids"),
    *("created_at", "created_by", "note"),
)
SETTING_KEYS = (
    *("gpu", "scale_up_link", "domain_gpus", "domains", "scale_out_link"),
    *("scale_out_bytes_per_s_per_gpu", "collective", "implementation", "launch", "scale_up_bytes_per_s"),
)
OPTIONAL_MACHINE_KEYS = ("ln_growth",)
"""Not in files of older programs."""
MACHINE_KEYS = ("ln_latency", "ln_transfer", "floor_s", "smallest_bytes", "sd_latency", "sd_transfer")

Json = dict[str, Any]


def fit_json(fit: Fit) -> Json:
    """The fit as plain JSON values, SI units; ``fit_of`` reads it back, the store keeps it."""
    return {
        "format_version": FORMAT_VERSION,
        "name": fit.name,
        "model_version": fit.model_version,
        "constants": {
            "machines": [_machine_json(machine) for machine in fit.machines],
            "curves": [_curve_json(curve) for curve in fit.curves],
        },
        "residuals": {
            "curves": [_residual_json(residuals) for residuals in fit.residuals],
            "unidentified": list(fit.unidentified),
        },
        "run_ids": list(fit.run_ids),
        **({} if fit.created_at is None else {"created_at": fit.created_at.isoformat()}),
        **({} if fit.created_by is None else {"created_by": fit.created_by}),
        "note": fit.note,
    }


def fit_text(fit: Fit) -> str:
    """The fit as a file."""
    return json.dumps(fit_json(fit), indent=1, ensure_ascii=False, allow_nan=False)


def _setting_json(setting: Setting) -> Json:
    return {key: getattr(setting, key) for key in SETTING_KEYS}


def _machine_json(constants: MachineConstants) -> Json:
    keys = (*MACHINE_KEYS[:4], *OPTIONAL_MACHINE_KEYS)
    figures = {key: getattr(constants.adaptation, key) for key in keys}
    return {
        "setting": _setting_json(constants.setting),
        **figures,
        "sd_latency": constants.sd_latency,
        "sd_transfer": constants.sd_transfer,
    }


def _curve_json(curve: Curve) -> Json:
    return {
        "setting": _setting_json(curve.setting),
        "size_bytes": list(curve.size_bytes),
        "time_s": list(curve.time_s),
        "scatter": curve.scatter,
        "answered_by": curve.answered_by,
    }


def _residual_json(residuals: Residuals) -> Json:
    return {
        "calibrated": list(residuals.calibrated),
        "constants": list(residuals.constants),
        "held_out": list(residuals.held_out),
        "left_out": [
            {"size_bytes": sample.size_bytes, "time_s": sample.time_s, "why": sample.why}
            for sample in residuals.left_out
        ],
    }
