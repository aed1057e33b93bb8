"""`python -m tests.bench.kernels [--quick]`: GEMMs and routed MLPs against measured kernels, beside a roofline."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.catalog import GPUS
from core.catalog.calibrations.kernels.gemm import GEMM_BANDS, GEMMS
from core.catalog.calibrations.kernels.moe import MOE, MOE_BANDS
from core.kernels.formats import FORMATS, OUTPUT_BYTES
from core.kernels.gemm import SHORT_S
from tests.bench.kernel_fit import fit_gemm, fit_together
from tests.bench.kernel_fit import modelled as gemm_seconds
from tests.bench.kernel_moe import MOE_FORMATS, by_library, fit_default, fit_moe, moes
from tests.bench.kernel_moe import modelled as moe_seconds
from tests.bench.kernel_residuals import engines_left_out, fitted_ratio, gpus_left_out
from tests.bench.kernel_rows import GEMM_FORMATS, figure, gemms
from tests.bench.tables import percent, print_table

LONG_S = 50e-6
ROOFLINE_SHARE, ROOFLINE_MEMORY, ROOFLINE_START_S = 0.75, 0.8, 3e-6
HEADER = (
    "format",
    "rows",
    "kernels named",
    "engine named",
    "above 50 us",
    "engine unnamed",
    "roofline",
    "roofline above 50 us",
    "GPU left out",
    "GPU left out, engine named",
    "engine left out",
    "in the interval, engine unnamed / named",
    "left-out GPU in its interval",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of kernel: its constants, its fits (all; what an answer without an engine takes), its models."""

    title: str
    constants: dict
    fit: Callable
    unnamed: Callable
    by_library: Callable
    model: Callable
    null: Callable
    bands: dict


def report(data_dir, *, quick=False):
    """Print the tables, or that there is no data."""
    folder = Path(data_dir) / "kernels"
    if not (folder / "gemm_perf.parquet").is_file():
        print(f"measured kernels: skipped, none at {folder}")
        return
    gemm = Kind("GEMMs", GEMMS, fit_gemm, fit_together, gemm_seconds, gemm_seconds, roofline, GEMM_BANDS)
    moe = Kind("routed MLPs", MOE, fit_moe, fit_default, by_library, moe_seconds, moe_roofline, MOE_BANDS)
    for kind, every, formats in ((gemm, gemms(folder), GEMM_FORMATS), (moe, moes(folder), MOE_FORMATS)):
        cells = []
        for name in formats.values():
            part = every.take(every.format == name)
            cells.append((name, *figures(kind, part, quick=quick)))
            print(kind.title, *cells[-1], sep=" | ", flush=True)
        print_table(f"{kind.title}: error of the time, median / 90th percentile", HEADER, cells)


def figures(kind, rows, *, quick):
    """The figures of one format."""
    name, long = rows.format[0], rows.time_s > LONG_S
    kernels = fitted_ratio(kind.constants[name], rows, kind.by_library)
    named = fitted_ratio(kind.constants[name], rows, kind.model)
    plain = fitted_ratio(kind.constants[name], rows, kind.model, engine=False)
    null = kind.null(rows)
    cells = [
        f"{len(rows):,}",
        *(spread(item) for item in (kernels, named, named[long], plain, null, null[long])),
    ]
    inside = percent(held(kind.bands[name], plain, rows.time_s).mean())
    inside = f"{inside} / {percent(held_by_engine(kind.bands[name], named, rows))}"
    if quick:
        return (*cells, "-", "-", "-", inside, "-")
    left_out, sibling = gpus_left_out(kind.constants[name], rows, kind.unnamed, kind.model, engine=False)
    by_engine, _ = gpus_left_out(kind.constants[name], rows, kind.fit, kind.model)
    engines = spread(engines_left_out(rows, kind.fit, kind.model))
    return (
        *cells,
        spread(left_out),
        spread(by_engine),
        engines,
        inside,
        held_left_out(kind, name, rows, left_out, sibling),
    )


def held_left_out(kind, name, rows, left_out, sibling):
    """Shares inside the interval of a GPU left out: one whose generation stays, and one whose does not."""
    shares = []
    for level, part in (("sibling", sibling), ("neighbour", ~sibling & np.isfinite(left_out))):
        inside = held(kind.bands[name], left_out[part], rows.time_s[part], level)
        shares.append(percent(float(inside.mean())) if part.any() else "-")
    return " / ".join(shares)


def held_by_engine(bands, ratio, rows):
    """Share of the rows inside the interval of their own engine."""
    inside = np.zeros(len(rows), bool)
    for name in set(rows.engine):
        at = rows.engine == name
        inside[at] = within(bands.engines.get(name, bands.measured), ratio[at], rows.time_s[at])
    return float(inside.mean())


def held(bands, ratio, time_s, level="measured"):
    """Whether the interval of a level around the modelled time holds the measured one."""
    return within(getattr(bands, level), ratio, time_s)


def within(band, ratio, time_s):
    """Whether a band around the modelled time holds the measured one."""
    short = ratio * time_s < SHORT_S
    low = np.where(short, band.short[0], band.long[0])
    high = np.where(short, band.short[1], band.long[1])
    return (low <= 1 / ratio) & (1 / ratio <= high)


def roofline(rows):
    """The simplest model over measured: 0.75 of the peak, 0.8 of the memory rate, 3 us."""
    entry, sizes = FORMATS[rows.format[0]], rows.sizes
    m, n, k = sizes["m"], sizes["n"], sizes["k"]
    peak = figure(rows, f"{entry.peak}_flop_per_s")
    memory = np.array([GPUS[gpu].memory_rate.bytes_per_s for gpu in rows.gpu])
    moved = entry.weight_bytes * n * k + entry.activation_bytes * m * k + OUTPUT_BYTES * m * n
    math_s = 2 * m * n * k / (peak * ROOFLINE_SHARE)
    return (np.maximum(math_s, moved / (memory * ROOFLINE_MEMORY)) + ROOFLINE_START_S) / rows.time_s


def moe_roofline(rows):
    """The same for a routed MLP: distinct experts at random, copies shared evenly."""
    entry, sizes = FORMATS[rows.format[0]], rows.sizes
    each = (2.0 + sizes["gated"]) * sizes["hidden"] * sizes["width"] / sizes["tp"]
    missed = (1 - sizes["top_k"] / sizes["experts"]) ** sizes["tokens"]
    hit = sizes["experts"] * (1 - missed) / sizes["ep"]
    math_s = (
        2 * each * sizes["tokens"] * sizes["top_k"] / sizes["ep"] / figure(rows, f"{entry.peak}_flop_per_s")
    )
    memory = np.array([GPUS[gpu].memory_rate.bytes_per_s for gpu in rows.gpu])
    moved_s = hit * each * entry.weight_bytes / memory
    return (np.maximum(math_s / ROOFLINE_SHARE, moved_s / ROOFLINE_MEMORY) + ROOFLINE_START_S) / rows.time_s


def spread(ratio):
    """Median and 90th percentile of the error, or a dash without rows."""
    errors = np.abs(ratio[np.isfinite(ratio)] - 1)
    if not len(errors):
        return "-"
    return " / ".join(percent(float(np.quantile(errors, share))) for share in (0.5, 0.9))


if __name__ == "__main__":
    report(Path(__file__).resolve().parents[2].parent / "shared" / "data", quick="--quick" in sys.argv)
