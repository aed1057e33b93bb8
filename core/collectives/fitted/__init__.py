"""
Your own cluster: constants fitted to a measured sweep, used by every calculator.

``core.verdict.points`` makes a fit from runs.
"""

from core.collectives.fitted.fit import (
    CALIBRATED,
    CONSTANTS,
    SWEEP,
    Curve,
    Fit,
    LeftOut,
    MachineConstants,
    Residuals,
)
from core.collectives.fitted.fit_file import checked_name, fit_of, read_fit
from core.collectives.fitted.fit_writer import fit_json, fit_text
from core.collectives.fitted.fitting import Series, fit_series
from core.collectives.fitted.predict import predict_fitted

__all__ = [
    "CALIBRATED",
    "CONSTANTS",
    "SWEEP",
    "Curve",
    "Fit",
    "LeftOut",
    "MachineConstants",
    "Residuals",
    "Series",
    "checked_name",
    "fit_json",
    "fit_of",
    "fit_series",
    "fit_text",
    "predict_fitted",
    "read_fit",
]
