"""How far two runs of one machine lie apart in the calibration's own rows: what no prediction can beat."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from statistics import median

import numpy as np

from core.collectives.refit.data import NEEDED, environment_of
from tests.bench.tables import percent, print_table

LIBRARIES = ("nccl", "rccl")
CURVE = ("system", *NEEDED)
Runs = dict[tuple[str, str, str], dict[float, list[float]]]
"""Times by source, library and set of variables (argonne-lcf/alcf-nccl-tests, README), then by size."""


def runs_of(rows: Iterable[dict[str, str]]) -> dict[tuple[str, ...], Runs]:
    """By curve of a machine, what each source of it measured."""
    curves: dict[tuple[str, ...], Runs] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in rows:
        run = (row["source_id"], row["library_version"], environment_of(row.get("source") or "") or "")
        curves[tuple(row[name] for name in CURVE)][run][float(row["size_bytes"])].append(
            float(row["time_us"])
        )
    return curves


def same_library(runs: Runs) -> Iterator[float]:
    """Ln of the times of one size that one source holds twice."""
    for sizes in runs.values():
        for times in sizes.values():
            yield from (float(np.log(first / second)) for first, second in combinations(times, 2))


def others(runs: Runs, *, variables: bool) -> Iterator[float]:
    """
    Ln of the times of one size in two runs, repeats replaced by their median.

    They differ in their variables alone, or in their library or source alone.
    """
    for (first, one), (second, two) in combinations(runs.items(), 2):
        same_library, same_variables = first[:2] == second[:2], first[2] == second[2]
        if (same_library if variables else same_variables) and first != second:
            for size in one.keys() & two.keys():
                yield float(np.log(median(one[size]) / median(two[size])))


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
            where = "Slingshot"
        cells[f"{where}, {what}: one version twice"] += same_library(runs)
        cells[f"{where}, {what}: two versions"] += others(runs, variables=False)
        cells[f"{where}, {what}: other variables"] += others(runs, variables=True)
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
