"""Accuracy by whole operators, node counts and sizes left out, beside the peers' formulas."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np

from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.peers import PEERS, peer_answers
from core.collectives.refit.data import load, series_of
from core.collectives.refit.everything import domain_name, fit_calibration, fit_domains
from core.collectives.refit.validation import Judged, folds, judge, score
from tests.bench.tables import percent, print_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from core.collectives.cost_model.calibration import Calibration
    from core.collectives.refit.data import Series

EXTRA_TABLES = ("azure", "dgxc")
MIB = 2.0**20
HEADER = ("left out", "points", "rows", "median", "p90", "mean of sites", "worst site", "in band", "")
SIZE_BANDS = ((0, 64 * 2**10), (64 * 2**10, MIB), (MIB, 64 * MIB), (64 * MIB, 2**60))


def extra_series(path: Path) -> list[Series]:
    """The all-reduce logs of other operators in collectives_extra.csv."""
    with path.open(newline="", encoding="utf-8") as stream:
        rows = [
            {**row, "implementation": "nccl", "source_id": row["table"]}
            for row in csv.DictReader(stream)
            if row["table"].startswith(EXTRA_TABLES) and row["time_us"]
        ]
    return list(series_of(rows))


def report(data: Path, *, quick: bool = False) -> None:
    """Print every table; `quick` skips the refits."""
    series = load(data / "calibration.csv")
    extra_path = data / "published" / "collectives_extra.csv"
    extra = extra_series(extra_path) if extra_path.exists() else []
    constants = shipped()
    print_table(
        "One domain, operators that calibrated nothing (shipped constants)", HEADER, _one(extra, constants)
    )
    print_table(
        "One domain of calibration.csv, in sample: NCCL and RCCL, hosts known to be degraded apart",
        HEADER,
        _in_sample(series, constants),
    )
    if extra:
        print_table(
            "The first table by size, no measured point",
            ("size", "rows", "median", "p90", "in band"),
            _by_size([judge(one, constants) for one in extra]),
        )
    answers: dict[int, list[Judged]] = {0: [], 2: []}
    if not quick:
        rows = []
        domains = fit_domains(series)
        for fold in folds(series):
            partial = fit_calibration(fold.train, dict(constants.bands), domains)
            for points in (0, 2):
                judged = [judge(one, partial, points) for one in fold.test if _enough(one, points)]
                rows.append(line(fold.name, points, judged))
                if fold.name.startswith("operator"):
                    answers[points] += judged
        for points, judged in answers.items():
            rows.append(line("all operators in turn", points, judged))
        print_table("Several domains, cross-validated (refitted without what is asked)", HEADER, rows)
        print_table(
            "The same by size, operators left out, no measured point",
            ("size", "rows", "median", "p90", "in band"),
            _by_size(answers[0]),
        )
        print_table(
            "The same by site", ("site", "rows", "median, no point", "median, two points"), _by_site(answers)
        )
    several = [one for one in series if one.several]
    peers_header = ("formula", "median", "p90", *(_band_name(*band) for band in SIZE_BANDS))
    print_table(
        "Others' formulas, one domain (the first table's rows), medians by size",
        peers_header,
        _peers(extra, [judge(one, constants) for one in extra]),
    )
    print_table(
        "Others' formulas, several domains (calibration.csv), medians by size",
        peers_header,
        _peers(several, answers[0]),
    )


def _enough(one: Series, points: int) -> bool:
    return len(one.size_bytes) > points


def _one(extra: Sequence[Series], constants: Calibration) -> list[tuple[str, ...]]:
    rows = []
    for points in (0, 2):
        judged = [judge(one, constants, points) for one in extra]
        rows.append(line("Azure, DGX Cloud", points, judged))
        rows.append(line("of that, 1 MiB and more", points, judged, MIB))
    return rows


def _in_sample(series: Sequence[Series], constants: Calibration) -> list[tuple[str, ...]]:
    names = sorted({name for one in series if (name := domain_name(one))})
    return [
        line(name, 0, [judge(one, constants) for one in series if domain_name(one) == name]) for name in names
    ]


def line(name: str, points: int, judged: Iterable[Judged], smallest: float = 0.0) -> tuple[str, ...]:
    """A line of a table under HEADER."""
    found = score(judged, smallest)
    if found is None:
        return (name, str(points), "0", "", "", "", "", "", "")
    return (
        name,
        str(points),
        str(found.rows),
        percent(found.median),
        percent(found.p90),
        percent(found.site_mean),
        percent(found.worst),
        percent(found.coverage),
        found.worst_site,
    )


def _by_size(judged: Sequence[Judged]) -> list[tuple[str, ...]]:
    size = np.concatenate([one.size_bytes for one in judged])
    error = np.concatenate([one.error for one in judged])
    inside = np.concatenate(
        [(one.measured_s >= one.low_s) & (one.measured_s <= one.high_s) for one in judged]
    )
    rows = []
    for low, high in SIZE_BANDS:
        keep = (size >= low) & (size < high)
        if keep.any():
            name = _band_name(low, high)
            rows.append(
                (
                    name,
                    str(int(keep.sum())),
                    percent(float(np.median(error[keep]))),
                    percent(float(np.quantile(error[keep], 0.9))),
                    percent(float(inside[keep].mean())),
                )
            )
    return rows


def _by_site(answers: dict[int, list[Judged]]) -> list[tuple[str, ...]]:
    rows = []
    for site in sorted({one.site for one in answers[0]}):
        medians = []
        for points in (0, 2):
            parts = [one.error for one in answers[points] if one.site == site]
            medians.append(percent(float(np.median(np.concatenate(parts)))) if parts else "")
        count = sum(one.error.size for one in answers[0] if one.site == site)
        rows.append((site, str(count), *medians))
    return rows


def _peers(series: Sequence[Series], own: Sequence[Judged]) -> list[tuple[str, ...]]:
    """The peers' errors, and this model's under them: all sizes, then the median of each band of size."""
    size = np.concatenate([one.size_bytes for one in series]) if series else np.empty(0)
    errors: dict[str, list[np.ndarray]] = {peer.key: [] for peer in PEERS}
    for one in series:
        for key, answer in peer_answers(one.setting, one.size_bytes).items():
            errors[key].append(np.abs(answer / one.time_s - 1))
    rows = [_spread(peer.title, size, np.concatenate(errors[peer.key])) for peer in PEERS if series]
    if own:
        sizes, error = (
            np.concatenate([getattr(one, name) for one in own]) for name in ("size_bytes", "error")
        )
        rows.append(_spread("this model", sizes, error))
    return rows


def _spread(title: str, size: np.ndarray, error: np.ndarray) -> tuple[str, ...]:
    bands = [error[(size >= low) & (size < high)] for low, high in SIZE_BANDS]
    medians = (percent(float(np.median(band))) if band.size else "" for band in bands)
    return (title, percent(float(np.median(error))), percent(float(np.quantile(error, 0.9))), *medians)


def _band_name(low: float, high: float) -> str:
    return f"{low / MIB:g} to {high / MIB:g} MiB" if high < 2**60 else f"from {low / MIB:g} MiB"
