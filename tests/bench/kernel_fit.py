"""Constants of GEMMs, fitted on the measured kernels; least squares that routed MLPs use too."""

import warnings
from dataclasses import fields, replace

import numpy as np
from scipy.optimize import least_squares

from core.catalog import GPUS
from core.catalog.calibrations.kernels.gemm import CACHE_BYTES
from core.catalog.calibrations.kernels.gemm_constants import GemmKernel
from core.kernels.formats import FORMATS, format_on
from core.kernels.gemm import REVISED
from core.kernels.tiles import Chip, Operands, gemm_terms
from tests.bench.kernel_rows import figure
from tests.bench.kernel_tiles import best_tiles

START = GemmKernel(1.5e-6, 1e-6, 1e-8, 2e-6, 0.85, 0.2, 1e-3, 0.82, 2.0, 3.0, 1e11, 0.3)
BOUNDS = {
    "start_s": (1e-9, 2e-5),
    "wave_s": (1e-9, 2e-5),
    "step_s": (1e-12, 1e-6),
    "split_s": (1e-7, 1e-3),
    "share": (0.1, 1.0),
    "throttle": (1e-3, 1.5),
    "throttle_s": (1e-6, 3e-2),
    "memory_share": (0.5, 0.95),
    "cache_rate": (0.8, 6.0),
    "handover": (1.2, 12.0),
    "feed_bytes_per_s": (1e10, 1e14),
    "quantise": (1e-3, 5.0),
    "revision": (0.7, 1.5),
    "row_s": (1e-9, 2e-5),
}
SAMPLE, STEPS = 600, 12
FEWEST = 100
"""Rows of an engine below which it has no constants of its own."""
NOISE = 0.05
"""Residuals beyond this count less (soft L1)."""
ROW_S = 3e-7
"""Where the fit of the time of a rounded row starts."""
WORTH = 0.9
"""Loss over that without them above which rounding by rows and tiles by m are left out."""
ROUNDS, TILE_SAMPLE = 4, 1500


def chips(rows, kernel=START):
    """The GPUs of the rows, each figure an array."""
    peaks = {gpu: {name: peak_of(gpu, name) for name in set(rows.format)} for gpu in set(rows.gpu)}
    rates = np.array([peaks[gpu][name] for gpu, name in zip(rows.gpu, rows.format, strict=True)])
    cache = {gpu: CACHE_BYTES[GPUS[gpu].architecture, GPUS[gpu].memory_kind] for gpu in set(rows.gpu)}
    return Chip(
        figure(rows, "multiprocessors"),
        rates * np.where(is_revised(rows), kernel.revision, 1.0),
        np.array([GPUS[gpu].memory_rate.bytes_per_s for gpu in rows.gpu]),
        np.array([cache[gpu] for gpu in rows.gpu]),
    )


def peak_of(gpu, name):
    """Dense FLOP/s of a format on a GPU; not a number where it has none."""
    return format_on(GPUS[gpu], name)[1]


def is_revised(rows):
    """Rows of Blackwell Ultra."""
    return np.array([GPUS[gpu].silicon.startswith(REVISED) for gpu in rows.gpu])


def operands(rows):
    """Sizes of products of one format."""
    entry = FORMATS[rows.format[0]]
    sizes = rows.sizes
    return Operands(
        sizes["m"], sizes["n"], sizes["k"], entry.weight_bytes, entry.activation_bytes, sizes["cycled_bytes"]
    )


def modelled(kernel, rows, *, engine=True):
    """Seconds of GEMMs of one format and generation; without ``engine`` as an answer that names none."""
    if not engine:
        return _seconds(kernel, rows)
    time_s = np.zeros(len(rows))
    for name in set(rows.engine):
        at = np.flatnonzero(rows.engine == name)
        time_s[at] = _seconds(kernel.of(name), rows.take(at))
    return time_s


def _seconds(kernel, rows):
    return gemm_terms(chips(rows, kernel), kernel, operands(rows)).time_s


def fit_gemm(rows, sample=SAMPLE, steps=STEPS):
    """Constants of one format and generation, and of each of several engines."""
    engines = sorted(set(rows.engine)) if len(set(rows.engine)) > 1 else []
    parts = {name: rows.take(rows.engine == name) for name in engines}
    each = {name: _library(part, sample, steps) for name, part in parts.items() if len(part) >= FEWEST}
    return replace(fit_together(rows, sample, steps), engines=each)


def fit_together(rows, sample=SAMPLE, steps=STEPS):
    """Those of all engines together, which an answer without an engine takes."""
    alone = len(set(rows.engine)) == 1
    return _library(rows, sample, steps) if alone else _fit(rows, sample, steps)[0]


def _library(rows, sample, steps):
    """
    Constants of one library: rounding by rows and a tile by m count only where they explain much more.

    Its tiles are those that come out best for each range of m, found in turn with the other constants.
    """
    plain, _ = _fit(rows, sample, steps)
    _, error = _fit(rows, sample, 2 * steps, plain)
    found = []
    for row_s in (0.0, ROW_S) if rows.format[0] != "bf16" else (0.0,):
        start = replace(plain, row_s=row_s)
        if row_s:
            found.append(_fit(rows, sample, 2 * steps, start))
        for _ in range(ROUNDS):
            tiles = best_tiles(start, rows.sample(TILE_SAMPLE, seed=2), _seconds)
            if tiles == start.tiles:
                break
            fitted = _fit(rows, sample, 2 * steps, replace(start, tiles=tiles))
            found.append(fitted)
            start = fitted[0]
    best = min(found, key=lambda item: item[1])
    return best[0] if best[1] < WORTH * error else plain


def _fit(rows, sample, steps, start=None):
    """Constants, and the loss they leave; with ``start`` its rounding by rows and its tiles."""
    part = rows.sample(sample)
    start = start or (START if rows.format[0] != "bf16" else replace(START, quantise=0.0))
    names = _free(start, part)
    point = [getattr(start, name) for name in names]
    low, high = zip(*(BOUNDS[name] for name in names), strict=True)

    def kernel(theta):
        return replace(
            start, **{name: float(value) for name, value in zip(names, np.exp(theta), strict=True)}
        )

    def residuals(theta):
        return np.log(_seconds(kernel(theta), part) / part.time_s)

    solution = solve(residuals, point, low, high, steps)
    return kernel(solution), float(np.sum(soft_l1(residuals(solution))))


def _free(start, rows):
    """Names of the constants that these rows tell."""
    names = [item.name for item in fields(GemmKernel) if item.name in BOUNDS]
    revised = is_revised(rows)
    silent = {
        "quantise": not start.quantise,
        "row_s": not start.row_s,
        "split_s": bool(start.tiles),
        "revision": not revised.any() or revised.all(),
    }
    return [name for name in names if not silent.get(name)]


def soft_l1(residuals, noise=NOISE):
    """Loss of residuals: squares where they are small, and those beyond the noise count less."""
    return 2 * (np.sqrt(1 + (residuals / noise) ** 2) - 1)


def solve(residuals, point, low, high, steps, noise=NOISE):
    """Least squares with a soft L1 loss over logarithms of positive constants."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return least_squares(
            residuals,
            np.clip(np.log(point), np.log(low) + 1e-6, np.log(high) - 1e-6),
            bounds=(np.log(low), np.log(high)),
            loss="soft_l1",
            f_scale=noise,
            diff_step=1e-3,
            max_nfev=steps,
        ).x
