"""
Make it my cluster: constants fitted to a measured sweep, used by every calculator as *yours*.

``core.my_cluster.runs`` makes a fit from runs; it stands apart because it asks ``core.collective``.
"""

from core.collectives.fitted.fit import Curve, Fit, LeftOut, MachineConstants, Residuals
from core.collectives.fitted.fit_file import fit_json, read_fit
from core.collectives.fitted.fitting import Series, fit_series
from core.collectives.fitted.predict import predict_fitted

__all__ = [
    "Curve",
    "Fit",
    "LeftOut",
    "MachineConstants",
    "Residuals",
    "Series",
    "fit_json",
    "fit_series",
    "predict_fitted",
    "read_fit",
]
