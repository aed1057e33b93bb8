"""`python -m tests.bench.kernel_unseen [moe]`: engines left out, and whether one level would mend them."""

import sys
from pathlib import Path

import numpy as np

from tests.bench.kernel_fit import fit_gemm
from tests.bench.kernel_fit import modelled as gemm_seconds
from tests.bench.kernel_moe import MOE_FORMATS, fit_moe, moes
from tests.bench.kernel_moe import modelled as moe_seconds
from tests.bench.kernel_residuals import band, engines_left_out, generation
from tests.bench.kernel_rows import GEMM_FORMATS, gemms

SAMPLE, FEWEST = 12000, 20
FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "kernels"


def unnamed(model):
    """The model as an answer whose engine was not measured takes it."""
    return lambda kernel, rows, **_: model(kernel, rows, engine=False)


def spread(logarithms):
    """Median and 90th percentile of the error."""
    off = np.abs(np.expm1(-logarithms[np.isfinite(logarithms)]))
    return " / ".join(f"{value:.1%}" for value in np.quantile(off, (0.5, 0.9)))


def levelled(logarithms, groups):
    """Without the median of each group."""
    left = np.full(len(logarithms), np.nan)
    for group in set(groups):
        at = np.array([each == group for each in groups]) & np.isfinite(logarithms)
        if at.sum() > FEWEST:
            left[at] = logarithms[at] - np.median(logarithms[at])
    return left


def report(title, rows, formats, fit, model):
    """One line a format: its band, and the error without, with a level for each engine, and each engine and generation."""
    for name in formats.values():
        part = rows.take(rows.format == name).sample(SAMPLE)
        if len(set(part.engine)) == 1:
            continue
        ratio = engines_left_out(part, fit, unnamed(model))
        off, known = -np.log(ratio), np.isfinite(ratio)
        both = list(zip(part.engine, map(generation, part.gpu), strict=True))
        cells = spread(off), spread(levelled(off, list(part.engine))), spread(levelled(off, both))
        print(title, name, *cells, band(ratio[known], part.time_s[known]), sep=" | ", flush=True)


def main():
    """Of GEMMs, or of routed MLPs."""
    print("kind | format | engine left out | one level an engine | one an engine and generation | band")
    if "moe" in sys.argv:
        report("routed MLPs", moes(FOLDER), MOE_FORMATS, fit_moe, moe_seconds)
    else:
        report("GEMMs", gemms(FOLDER), GEMM_FORMATS, fit_gemm, gemm_seconds)


if __name__ == "__main__":
    main()
