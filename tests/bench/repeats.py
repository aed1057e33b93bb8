"""How far two runs of one machine lie apart in the calibration's own rows: what no prediction can beat."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from statistics import median

import numpy as np

from core.collectives.refit.data import NEEDED
from tests.bench.tables import percent, print_table

LIBRARIES = ("nccl", "rccl")
CURVE = ("system", *NEEDED)
SETTINGS = "Slingshot"
"""Its sources hold a curve under up to five settings of NCCL and libfabric (argonne-lcf/alcf-nccl-tests, README)."""
Runs = dict[tuple[str, str], dict[float, list[float]]]
"""Times by source and library, then by size."""


def runs_of(rows: Iterable[dict[str, str]]) -> dict[tuple[str, ...], Runs]:
    """By curve of a machine, what each source of it measured."""
    curves: dict[tuple[str, ...], Runs] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in rows:
        run = (row["source_id"], row["library_version"])
        curves[tuple(row[name] for name in CURVE)][run][float(row["size_bytes"])].append(
            float(row["time_us"])
        )
    return curves


def same_library(runs: Runs) -> Iterator[float]:
    """Ln of the times of one size that one source holds twice."""
    for sizes in runs.values():
        for times in sizes.values():
            yield from (float(np.log(first / second)) for first, second in combinations(times, 2))


def other_library(runs: Runs) -> Iterator[float]:
    """Ln of the times of one size in two sources, repeats replaced by their median."""
    for first, second in combinations(runs.values(), 2):
        for size in first.keys() & second.keys():
            yield float(np.log(median(first[size]) / median(second[size])))


def report(paths: Iterable[Path]) -> None:
    """Print the table: one machine twice, with one library and with two versions or builds of it."""
    rows = []
    for path in paths:
        with path.open(newline="", encoding="utf-8") as stream:
            rows += list(csv.DictReader(stream))
    cells: dict[str, list[float]] = defaultdict(list)
    for key, runs in runs_of(rows).items():
        curve = dict(zip(CURVE, key, strict=True))
        where = "one domain" if curve["domains"] == "1" else "several"
        what = "library" if curve["implementation"] in LIBRARIES else "an engine's kernels"
        if curve["scale_out_link"].startswith("slingshot"):
            where = SETTINGS
        again = "one version, other settings" if where == SETTINGS else "one version twice"
        cells[f"{where}, {what}: {again}"] += same_library(runs)
        cells[f"{where}, {what}: two versions"] += other_library(runs)
    lines = [_line(name, apart) for name, apart in sorted(cells.items()) if apart]
    print_table(
        "One machine measured twice: |first / second - 1|, row by row",
        ("runs", "pairs", "median", "p90", "mean"),
        lines,
    )


def _line(name: str, apart: list[float]) -> tuple[str, ...]:
    error = np.abs(np.expm1(apart))
    figures = (np.median(error), np.quantile(error, 0.9), error.mean())
    return (name, str(error.size), *(percent(float(figure)) for figure in figures))
