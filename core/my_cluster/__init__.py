"""
Make it my cluster: constants fitted to a measured sweep, used by every calculator as *yours*.

``core.my_cluster.runs`` makes a fit from runs; it stands apart because it asks ``core.collective``.
"""

from core.my_cluster.fit import Curve, Fit, LeftOut, MachineConstants, Residuals
from core.my_cluster.fit_file import fit_json, read_fit
from core.my_cluster.fitting import Series, fit_series
from core.my_cluster.predict import predict_fitted

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
