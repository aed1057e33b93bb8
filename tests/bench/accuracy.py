"""Accuracy by whole operators, node counts and sizes left out, beside the peers' formulas."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.catalog.calibrations.shapes import Residual
from core.collectives.cost_model.calibration import Calibration, shipped
from core.collectives.cost_model.peers import PEERS, peer_answers
from core.collectives.refit.data import Sweep, load, sweeps_of
from core.collectives.refit.everything import domain_name, fit_calibration
from core.collectives.refit.residual_fit import fit_residuals
from core.collectives.refit.validation import Comparison, compare, folds, score
from tests.bench import repeats
from tests.bench.bands import LeftOut, answered, report_bands
from tests.bench.placements import report_placements
from tests.bench.tables import percent, print_table
from tests.bench.unseen import one_domain_answers, report_points, report_rest
from tests.figures import fitted

CALIBRATIONS = ("calibration.csv", "calibration_2.csv")
EXTRA_TABLES = ("azure", "dgxc")
MIB = 2.0**20
HEADER = ("left out", "points", "rows", "median", "p90", "mean of sites", "worst site", "in band", "")
SIZE_BANDS = ((0, 64 * 2**10), (64 * 2**10, MIB), (MIB, 64 * MIB), (64 * MIB, 2**60))


def extra_sweeps(path: Path) -> list[Sweep]:
    """The all-reduce logs of other operators in collectives_extra.csv."""
    with path.open(newline="", encoding="utf-8") as stream:
        rows = [
            {**row, "implementation": "nccl", "source_id": row["table"]}
            for row in csv.DictReader(stream)
            if row["table"].startswith(EXTRA_TABLES) and row["time_us"]
        ]
    return list(sweeps_of(rows))


def report(data: Path, *, quick: bool = False) -> None:
    """Print every table; `quick` skips the refits."""
    measured = load(*(path for name in CALIBRATIONS if (path := data / name).exists()))
    sweeps = [sweep for sweep in measured if not sweep.over_sockets]
    extra_path = data / "published" / "collectives_extra.csv"
    extra = extra_sweeps(extra_path) if extra_path.exists() else []
    constants = shipped()
    print_table(
        "One domain, operators that calibrated nothing (shipped constants)",
        HEADER,
        _other_operators(extra, constants),
    )
    print_table(
        "One domain of calibration.csv, in sample: NCCL and RCCL, hosts known to be degraded apart",
        HEADER,
        _in_sample(sweeps, constants),
    )
    if extra:
        print_table(
            "The first table by size, no measured point",
            ("size", "rows", "median", "p90", "in band"),
            _by_size([compare(sweep, constants) for sweep in extra]),
        )
    repeats.report(data / name for name in CALIBRATIONS)
    report_rest(sweeps, constants)
    print_table(
        "Slingshot over TCP, which no fit takes and no input tells (shipped constants)",
        HEADER,
        _over_sockets([sweep for sweep in measured if sweep.over_sockets], constants),
    )
    answers: dict[int, list[Comparison]] = {0: [], 2: []}
    if not quick:
        rows = []
        domains = dict(constants.domains)
        unseen = _one_domain_unseen(sweeps, extra, constants)
        by_operator: dict[str, Calibration] = {}
        kinds: list[Comparison] = []
        left_out: list[LeftOut] = []
        for fold in folds([*sweeps, *fitted.sweeps()]):
            partial = fit_calibration(fold.train, dict(constants.bands), domains, {})
            for points in (0, 2):
                comparisons = [
                    compare(sweep, partial, points) for sweep in fold.test if _enough(sweep, points)
                ]
                rows.append(line(fold.name, points, comparisons))
                if not points:
                    left_out += answered(fold, partial)
                if fold.name.startswith("operator"):
                    answers[points] += comparisons
                    by_operator |= {sweep.operator: partial for sweep in fold.test}
                if fold.name.startswith("kind") and not points:
                    kinds += comparisons
        for points, comparisons in answers.items():
            rows.append(line("all operators in turn", points, comparisons))
        unseen.append(line("several domains: operators left out", 0, answers[0]))
        unseen.append(line("several domains: kinds left out", 0, kinds))
        print_table("Unseen: whole operators and whole kinds left out", HEADER, unseen)
        report_bands(left_out)
        kin, others = kin_without(sweeps, constants), {id(sweep) for sweep in extra}

        def unseen_by(sweep: Sweep) -> Calibration:
            """The constants without a sweep's operator, and what its kind shares without its GPU."""
            partial = by_operator.get(sweep.operator, constants)
            return partial if id(sweep) in others else replace(partial, residuals=kin[sweep.setting.gpu])

        report_points([*sweeps, *extra], unseen_by)
        report_placements([*sweeps, *extra], unseen_by)
        print_table("Several domains, cross-validated (refitted without what is asked)", HEADER, rows)
        print_table(
            "The same by size, operators left out, no measured point",
            ("size", "rows", "median", "p90", "in band"),
            _by_size(answers[0]),
        )
        print_table(
            "The same by site", ("site", "rows", "median, no point", "median, two points"), _by_site(answers)
        )
    several = [sweep for sweep in sweeps if sweep.several]
    peers_header = ("formula", "median", "p90", *(_band_name(*band) for band in SIZE_BANDS))
    print_table(
        "Others' formulas, one domain (the first table's rows), medians by size",
        peers_header,
        _peers(extra, [compare(sweep, constants) for sweep in extra]),
    )
    print_table(
        "Others' formulas, several domains (calibration.csv), medians by size",
        peers_header,
        _peers(several, answers[0]),
    )


def kin_without(
    sweeps: Sequence[Sweep], constants: Calibration
) -> dict[str, dict[str, tuple[Residual, ...]]]:
    """By GPU what the machines of a kind share when those of this GPU are left out."""
    gpus = {sweep.setting.gpu for sweep in sweeps}
    return {
        gpu: fit_residuals([sweep for sweep in sweeps if sweep.setting.gpu != gpu], constants) for gpu in gpus
    }


def _one_domain_unseen(
    sweeps: Sequence[Sweep], extra: Sequence[Sweep], constants: Calibration
) -> list[tuple[str, ...]]:
    """Inside one domain: operators left out, those that were never in, kinds left out."""
    groups: dict[str, list[Comparison]] = {}
    for name, comparison in one_domain_answers(sweeps, constants):
        groups.setdefault(name, []).append(comparison)
    groups.setdefault("operator left out", []).extend(compare(sweep, constants) for sweep in extra)
    return [line(f"one domain: {name}", 0, comparisons) for name, comparisons in groups.items()]


def _enough(sweep: Sweep, points: int) -> bool:
    return len(sweep.size_bytes) > points


def _other_operators(extra: Sequence[Sweep], constants: Calibration) -> list[tuple[str, ...]]:
    rows = []
    for points in (0, 2):
        comparisons = [compare(sweep, constants, points) for sweep in extra]
        rows.append(line("Azure, DGX Cloud", points, comparisons))
        rows.append(line("of that, 1 MiB and more", points, comparisons, MIB))
    return rows


def _over_sockets(sweeps: Sequence[Sweep], constants: Calibration) -> list[tuple[str, ...]]:
    return [
        line("Polaris, Sirius", points, [compare(sweep, constants, points) for sweep in sweeps])
        for points in (0, 3, 9)
    ]


def _in_sample(sweeps: Sequence[Sweep], constants: Calibration) -> list[tuple[str, ...]]:
    names = sorted({name for sweep in sweeps if (name := domain_name(sweep))})
    return [
        line(name, 0, [compare(sweep, constants) for sweep in sweeps if domain_name(sweep) == name])
        for name in names
    ]


def line(name: str, points: int, comparisons: Iterable[Comparison], smallest: float = 0.0) -> tuple[str, ...]:
    """A line of a table under HEADER."""
    result = score(comparisons, smallest)
    if result is None:
        return (name, str(points), "0", "", "", "", "", "", "")
    return (
        name,
        str(points),
        str(result.rows),
        percent(result.median),
        percent(result.p90),
        percent(result.site_mean),
        percent(result.worst),
        percent(result.coverage),
        result.worst_site,
    )


def _by_size(comparisons: Sequence[Comparison]) -> list[tuple[str, ...]]:
    size = np.concatenate([comparison.size_bytes for comparison in comparisons])
    error = np.concatenate([comparison.error for comparison in comparisons])
    inside = np.concatenate([comparison.inside for comparison in comparisons])
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


def _by_site(answers: dict[int, list[Comparison]]) -> list[tuple[str, ...]]:
    rows = []
    for site in sorted({comparison.site for comparison in answers[0]}):
        medians = []
        for points in (0, 2):
            parts = [comparison.error for comparison in answers[points] if comparison.site == site]
            medians.append(percent(float(np.median(np.concatenate(parts)))) if parts else "")
        count = sum(comparison.error.size for comparison in answers[0] if comparison.site == site)
        rows.append((site, str(count), *medians))
    return rows


def _peers(sweeps: Sequence[Sweep], own: Sequence[Comparison]) -> list[tuple[str, ...]]:
    """The peers' errors, and this model's under them: all sizes, then the median of each band of size."""
    size = np.concatenate([sweep.size_bytes for sweep in sweeps]) if sweeps else np.empty(0)
    errors: dict[str, list[np.ndarray]] = {peer.key: [] for peer in PEERS}
    for sweep in sweeps:
        for key, answer in peer_answers(sweep.setting, sweep.size_bytes).items():
            errors[key].append(np.abs(answer / sweep.time_s - 1))
    rows = [_spread(peer.title, size, np.concatenate(errors[peer.key])) for peer in PEERS if sweeps]
    if own:
        sizes, error = (
            np.concatenate([getattr(comparison, name) for comparison in own])
            for name in ("size_bytes", "error")
        )
        rows.append(_spread("this model", sizes, error))
    return rows


def _spread(title: str, size: np.ndarray, error: np.ndarray) -> tuple[str, ...]:
    bands = [error[(size >= low) & (size < high)] for low, high in SIZE_BANDS]
    medians = (percent(float(np.median(band))) if band.size else "" for band in bands)
    return (title, percent(float(np.median(error))), percent(float(np.quantile(error, 0.9))), *medians)


def _band_name(low: float, high: float) -> str:
    return f"{low / MIB:g} to {high / MIB:g} MiB" if high < 2**60 else f"from {low / MIB:g} MiB"
