"""`python -m tests.bench.kernels [--quick]`: GEMMs and routed MLPs against measured kernels, beside a roofline."""

import sys
from pathlib import Path

import numpy as np

from core.catalog import GPUS
from core.catalog.calibrations.kernels.gemm import GEMMS
from core.kernels.formats import FORMATS, OUTPUT_BYTES
from core.kernels.gemm import gemm_s
from tests.bench.kernel_residuals import engines_left_out, gpus_left_out
from tests.bench.kernel_rows import GEMM_FORMATS, figure, gemms
from tests.bench.tables import percent, print_table

LONG_S = 50e-6
ROOFLINE_SHARE, ROOFLINE_MEMORY, ROOFLINE_START_S = 0.75, 0.8, 3e-6
HEADER = (
    "GEMMs",
    "rows",
    "median / p90",
    "above 50 us",
    "engine unnamed",
    "roofline",
    "roofline above 50 us",
    "GPU left out",
    "engine left out",
    "in the interval",
)


def report(data_dir, *, quick=False):
    """Print the tables, or that there is no data."""
    folder = Path(data_dir) / "kernels"
    if not (folder / "gemm_perf.parquet").is_file():
        print(f"measured kernels: skipped, none at {folder}")
        return
    gemm_table(gemms(folder), quick=quick)


def gemm_table(every, *, quick):
    """One row a format and one of all."""
    rows = []
    for name in (*GEMM_FORMATS.values(),):
        part = every.take(every.format == name)
        rows.append((name, *gemm_cells(part, quick=quick)))
    print_table("GEMMs: error of the time, median / 90th percentile", HEADER, rows)


def gemm_cells(rows, *, quick):
    """The figures of one format."""
    named, plain, inside = answered(rows)
    null = roofline(rows)
    long = rows.time_s > LONG_S
    cells = [
        f"{len(rows):,}",
        spread(named),
        spread(named[long]),
        spread(plain),
        spread(null),
        spread(null[long]),
    ]
    if quick:
        return (*cells, "-", "-", percent(inside.mean()))
    left_out, _ = gpus_left_out(GEMMS[rows.format[0]], rows)
    return (*cells, spread(left_out), spread(engines_left_out(rows)), percent(inside.mean()))


def answered(rows):
    """Modelled over measured with the engine and without, and whether the interval holds the measured time."""
    named, plain = np.empty(len(rows)), np.empty(len(rows))
    inside = np.empty(len(rows), bool)
    for gpu in set(rows.gpu):
        for engine in set(rows.engine):
            at = np.flatnonzero((rows.gpu == gpu) & (rows.engine == engine))
            sizes = {name: column[at] for name, column in rows.sizes.items()}
            seconds = rows.time_s[at]
            named[at] = gemm_s(GPUS[gpu], rows.format[0], **sizes, engine=engine).time_s / seconds
            price = gemm_s(GPUS[gpu], rows.format[0], **sizes)
            plain[at] = price.time_s / seconds
            inside[at] = (price.low_s <= seconds) & (seconds <= price.high_s)
    return named, plain, inside


def roofline(rows):
    """The simplest model over measured: 0.75 of the peak, 0.8 of the memory rate, 3 us."""
    entry, sizes = FORMATS[rows.format[0]], rows.sizes
    m, n, k = sizes["m"], sizes["n"], sizes["k"]
    peak = figure(rows, f"{entry.peak}_flop_per_s")
    memory = np.array([GPUS[gpu].memory_rate.bytes_per_s for gpu in rows.gpu])
    moved = entry.weight_bytes * n * k + entry.activation_bytes * m * k + OUTPUT_BYTES * m * n
    math_s = 2 * m * n * k / (peak * ROOFLINE_SHARE)
    return (np.maximum(math_s, moved / (memory * ROOFLINE_MEMORY)) + ROOFLINE_START_S) / rows.time_s


def spread(ratio):
    """Median and 90th percentile of the error, or a dash without rows."""
    errors = np.abs(ratio[np.isfinite(ratio)] - 1)
    if not len(errors):
        return "-"
    return " / ".join(percent(float(np.quantile(errors, share))) for share in (0.5, 0.9))


if __name__ == "__main__":
    report(Path(__file__).resolve().parents[2].parent / "shared" / "data", quick="--quick" in sys.argv)
