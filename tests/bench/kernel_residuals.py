"""Modelled over measured times of GEMMs: as fitted, and with a GPU or an engine left out of the fit."""

import numpy as np

from core.catalog import GPUS
from core.catalog.calibrations.kernels.gemm_constants import Band, Bands
from core.kernels.gemm import SHORT_S
from core.kernels.generation import constants_of
from tests.bench.kernel_fit import fit_gemm, modelled

EDGES = 0.1, 0.9


def generation(gpu):
    """What constants are looked up by."""
    return GPUS[gpu].architecture, GPUS[gpu].memory_kind


def generations(rows):
    """Rows by generation."""
    of_row = {gpu: generation(gpu) for gpu in set(rows.gpu)}
    for key in sorted(set(of_row.values())):
        yield key, rows.take(np.array([of_row[gpu] == key for gpu in rows.gpu]))


def fits(rows, fit=fit_gemm):
    """Constants of one format by generation."""
    return {key: fit(part) for key, part in generations(rows)}


def fitted_ratio(kernels, rows, model=modelled, *, engine=True):
    """Modelled over measured, each row at its own generation's constants or those of the nearest."""
    ratio = np.full(len(rows), np.nan)
    for gpu in set(rows.gpu):
        at = np.flatnonzero(rows.gpu == gpu)
        kernel, _ = constants_of(GPUS[gpu], kernels)
        part = rows.take(at)
        ratio[at] = model(kernel, part, engine=engine) / part.time_s
    return ratio


def gpus_left_out(kernels, rows, fit=fit_gemm, model=modelled, *, engine=True):
    """Each GPU by what the others say, and whether one of its generation is among them."""
    ratio, sibling = np.full(len(rows), np.nan), np.zeros(len(rows), bool)
    for gpu in set(rows.gpu):
        own = generation(gpu)
        others = rows.take(np.array([name != gpu and generation(name) == own for name in rows.gpu]))
        rest = {key: kernel for key, kernel in kernels.items() if key != own}
        if len(others):
            rest[own] = fit(others)
        if rest:
            at = rows.gpu == gpu
            ratio[at] = fitted_ratio(rest, rows.take(at), model, engine=engine)
            sibling[at] = len(others) > 0
    return ratio, sibling


def engines_left_out(rows, fit=fit_gemm, model=modelled):
    """Each engine by what the others say of its generation."""
    ratio = np.full(len(rows), np.nan)
    for key, part in generations(rows):
        of_key = np.array([generation(gpu) == key for gpu in rows.gpu])
        for engine in set(part.engine):
            others = part.take(part.engine != engine)
            if len(others):
                at = of_key & (rows.engine == engine)
                ratio[at] = fitted_ratio({key: fit(others)}, rows.take(at), model)
    return ratio


def bands(own, left_out, sibling, time_s):
    """The bands of a format: 10th and 90th percentile of measured over modelled, each level at least the one before."""
    neighbour = np.isfinite(left_out) & ~sibling
    measured = band(own, time_s)
    near = measured.union(band(left_out[sibling], time_s[sibling])) if sibling.any() else None
    far = band(left_out[neighbour], time_s[neighbour]) if neighbour.any() else wider(measured)
    far = (near or measured).union(far)
    return Bands(measured, near or far, far)


def engine_bands(constants, rows, model=modelled):
    """The band of every engine of several, with its own constants."""
    ratio, names = fitted_ratio(constants, rows, model), sorted(set(rows.engine))
    return {
        name: band(ratio[rows.engine == name], rows.time_s[rows.engine == name])
        for name in (names if len(names) > 1 else ())
    }


def wider(level, times=2.5):
    """A band for what nobody could leave out: so many times as wide."""
    return Band(*((round(low**times, 3), round(high**times, 3)) for low, high in (level.short, level.long)))


def band(ratio, time_s):
    """Percentiles of measured over modelled, for short calls and for long ones."""
    short = ratio * time_s < SHORT_S
    spans = []
    for part in (short, ~short):
        low, high = np.quantile(1 / ratio[part if part.sum() > 20 else slice(None)], EDGES)
        spans.append((round(float(min(low, 1)), 3), round(float(max(high, 1)), 3)))
    return Band(*spans)
