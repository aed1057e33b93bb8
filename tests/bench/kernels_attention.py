"""Attention kernels against measured calls: as shipped, and fitted without the GPU or the engine judged."""

import argparse
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np

from core.catalog.calibrations.kernels.shapes import FALLBACK, Band
from core.kernels.bands import interval
from core.kernels.generation import constants_of
from core.kernels.prefill import prefill_terms
from tests.bench.attention_fit import PHASES, errors, fit_all, without_engine, without_gpu
from tests.bench.attention_rows import read

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
ROWS = 20_000
LONG_S = 1e-3
NULL_PEAK, NULL_MEMORY, NULL_LAUNCH_S = 0.55, 0.8, 10e-6


def null(phase, calls):
    """Ln of a roofline with one constant over measured."""
    shape, gpu = calls.shape, calls.gpu
    reach = np.minimum(shape.keys, shape.window)
    prefill = phase.terms is prefill_terms
    pairs = shape.queries * (reach / 2 if prefill else reach)
    flop = 4 * shape.batch * shape.heads * shape.head_dim * pairs
    cache = 2 * shape.kv_heads * reach * shape.cache_bytes
    moved = shape.batch * shape.head_dim * (cache + 4 * shape.heads * shape.queries)
    time = np.maximum(
        flop / (NULL_PEAK * gpu.bf16_flop_per_s), moved / (NULL_MEMORY * gpu.memory_rate.bytes_per_s)
    )
    return np.log((NULL_LAUNCH_S + time) / calls.time_s)


def line(name, off, inside=None):
    """One row of the table: rows, median and 90th percentile of the error, share inside the interval."""
    error = np.abs(np.expm1(off))
    share = "" if inside is None else f"  inside the interval {np.mean(inside):4.0%}"
    print(f"  {name:44}{len(off):7,} rows {np.median(error):7.1%} /{np.quantile(error, 0.9):7.1%}{share}")


def report(data_dir, *, quick=False):
    """Print every table whose data is there."""
    print("Attention kernels against measured calls (median / 90th percentile of the error)")
    for phase in PHASES:
        path = Path(data_dir) / "kernels" / f"{phase.file}_perf.parquet"
        if not path.exists():
            print(f"  {phase.name}: skipped, no measured data")
            continue
        judge(phase, read(path, phase, ROWS), quick=quick)


def judged(phase, calls):
    """Errors of the shipped constants, and whether the interval holds each call."""
    every, inside = [], []
    for item in calls:
        kernel, _ = constants_of(item.gpu, phase.shipped)
        off = errors(phase, kernel, item)
        low, high = interval(kernel, item.engine, measured=True)
        every.append(off)
        inside.append((off >= -np.log(high)) & (off <= -np.log(low)))
    return np.concatenate(every), np.concatenate(inside)


def judge(phase, calls, *, quick):
    """The table of one phase."""
    line(f"{phase.name}, roofline and one constant", np.concatenate([null(phase, item) for item in calls]))
    line(f"{phase.name}, as shipped", *judged(phase, calls))
    for gpu in sorted({item.gpu.id for item in calls}):
        line(f"  {gpu}", *judged(phase, [item for item in calls if item.gpu.id == gpu]))
    for engine in sorted({item.engine for item in calls}):
        line(f"  {engine}", *judged(phase, [item for item in calls if item.engine == engine]))
    if not quick:
        line(f"{phase.name}, the GPU judged left out", without_gpu(phase, calls))
        off, time_s = without_engine(phase, calls)
        line(f"{phase.name}, the engine judged left out", off)
        line("  calls above 1 ms of these", off[time_s > LONG_S])


def show_fit(data_dir):
    """Print the constants of every phase and generation as they stand in the catalog."""
    for phase in PHASES:
        calls = read(Path(data_dir) / "kernels" / f"{phase.file}_perf.parquet", phase, 3 * ROWS)
        new = ends(without_generation(phase, calls))
        print(f"{phase.name}: Mapping[Generation, object] = {{")
        for generation, kernel in fit_all(phase, calls).items():
            items = [item for item in calls if item.generation == generation]
            own = {
                name: replace(
                    entry, **percentiles(phase, kernel, [item for item in items if item.engine == name])
                )
                for name, entry in kernel.engines.items()
            }
            every = percentiles(phase, kernel, items, named=False)
            low = min(every["low"], *(entry.low for name, entry in own.items() if name != FALLBACK))
            high = max(every["high"], *(entry.high for name, entry in own.items() if name != FALLBACK))
            band = Band(low, high, min(new["low"], low), max(new["high"], high))
            print(f"    (Architecture.{generation[0].name}, MemoryKind.{generation[1].name}): ", end="")
            print(rounded(replace(kernel, engines=own, band=band)) + ",")
        print("}")


def percentiles(phase, kernel, calls, *, named=True):
    """Measured over predicted, 10th and 90th percentile."""
    return ends(np.concatenate([errors(phase, kernel, item, named=named) for item in calls]))


def ends(off):
    """The same of errors in ln."""
    low, high = np.exp(-np.quantile(off, [0.9, 0.1]))
    return {"low": float(low), "high": float(high)}


def without_generation(phase, calls):
    """Errors of every generation with the constants of the one that stands in for it."""
    kernels = fit_all(phase, calls)
    out = []
    for item in calls:
        others = {
            generation: kernel for generation, kernel in kernels.items() if generation != item.generation
        }
        out.append(errors(phase, constants_of(item.gpu, others)[0], item))
    return np.concatenate(out)


def rounded(value):
    """A kernel with three digits, as it is written down."""
    if is_dataclass(value):
        inner = ", ".join(f"{item.name}={rounded(getattr(value, item.name))}" for item in fields(value))
        return f"{type(value).__name__}({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {rounded(item)}' for key, item in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(rounded(item) for item in value) + ")"
    return str(value) if isinstance(value, int) else f"{value:.3g}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kernels_attention")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--fit", action="store_true", help="print the constants fitted anew")
    options = parser.parse_args()
    show_fit(options.data) if options.fit else report(options.data)
