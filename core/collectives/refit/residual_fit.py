"""Fit of what machines of one kind have in common beyond the lines of their domain, by octave of size."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.catalog.calibrations.estimates import HOST_ALLOWANCE
from core.catalog.calibrations.shapes import Correction, DomainKind, Residual
from core.collectives.cost_model.calibration import Calibration
from core.collectives.cost_model.compiler import compile_curve
from core.collectives.cost_model.curve import evaluate
from core.collectives.refit.data import Sweep
from core.collectives.refit.everything import kind_of_domain

OCTAVES = np.arange(9.0, 30.0)
DOUBT = 0.5
"""Machines that the belief in no residual counts for: by leaving each GPU out in turn (0, 0.5, 1 tried)."""
MEASURED_RANKS = (2, 4, 8)
ALLOWED = ("nccl", "rccl")
"""Libraries whose answers hold an allowance for hosts that are less idle than those measured."""

Key = tuple[str, str, str, int]


def fit_residuals(sweeps: Sequence[Sweep], calibration: Calibration) -> dict[str, tuple[Residual, ...]]:
    """
    By kind of domain and curve, ln of measured over calibrated time as its machines have it on average.

    Only NVLink domains: on PCIe, and on meshes of which one host was measured, the host is most of it.
    """
    plain = replace(calibration, residuals={})
    groups: dict[str, dict[Key, list[np.ndarray]]] = defaultdict(lambda: defaultdict(list))
    for sweep in sweeps:
        name = kind_of_domain(sweep)
        setting = sweep.setting
        measured = not sweep.several and sweep.comm.kind is DomainKind.NVLINK and setting.algorithm == "auto"
        if measured and name and sweep.comm.ranks in MEASURED_RANKS:
            key = (setting.collective, setting.implementation, setting.launch, sweep.comm.ranks)
            groups[name][key].append(_residual(sweep, plain))
    return {name: _kind(curves) for name, curves in sorted(groups.items())}


def _kind(curves: Mapping[Key, list[np.ndarray]]) -> tuple[Residual, ...]:
    """The curves of one kind of domain, the number of GPUs rising."""
    return tuple(
        Residual(*key, Correction(tuple(OCTAVES.tolist()), _shrunk(curves[key]))) for key in sorted(curves)
    )


def _residual(sweep: Sweep, calibration: Calibration) -> np.ndarray:
    """Of one machine by octave, NaN where it was not measured."""
    answer = evaluate(compile_curve(sweep.setting, (), calibration), sweep.size_bytes)
    allowance_s = HOST_ALLOWANCE.value if sweep.setting.implementation in ALLOWED else 0.0
    off = np.log((sweep.time_s + allowance_s) / answer.time_s)
    by_octave: np.ndarray = np.interp(OCTAVES, np.log2(sweep.size_bytes), off, left=np.nan, right=np.nan)
    return by_octave


def _shrunk(machines: Sequence[np.ndarray]) -> tuple[float, ...]:
    """The mean of machines at each octave, drawn to none; octaves outside all of them follow the nearest."""
    columns = np.stack(machines)
    counts = np.isfinite(columns).sum(axis=0)
    means = np.nansum(columns, axis=0) / (counts + DOUBT)
    known = counts > 0
    return tuple(np.interp(OCTAVES, OCTAVES[known], means[known]).round(3).tolist())
