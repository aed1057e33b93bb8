"""Accuracy where nothing alike was fitted, by whole operators and kinds, and with measured points."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.catalog.calibrations.shapes import DomainSet
from core.collectives.cost_model import Point
from core.collectives.cost_model.calibration import Calibration
from core.collectives.cost_model.compiler import compile_curve
from core.collectives.cost_model.curve import evaluate
from core.collectives.cost_model.machine import cluster_key
from core.collectives.refit.data import Sweep
from core.collectives.refit.everything import domain_name, fit_domains
from core.collectives.refit.validation import Comparison, compare, comparison_of, places_of, score
from tests.bench.tables import percent, print_table

HEADER = ("asked", "points", "rows", "median", "p90", "mean of sites", "worst site", "in band", "")
COUNTS = (0, 3, 9)
POINTS = 9
MOST_TIMES = 16
MAIN = "aic"
"""The operator whose rows are most of one domain: leaving it out leaves nothing."""
Calibrated = Callable[[Sweep], Calibration]


def one_domain_answers(sweeps: Sequence[Sweep], shipped: Calibration) -> Iterator[tuple[str, Comparison]]:
    """Operators of one domain left out in turn, then each generation with its whole set of constants."""
    single = [sweep for sweep in sweeps if domain_name(sweep)]
    for operator in sorted({sweep.operator for sweep in single} - {MAIN}):
        left = [sweep for sweep in single if sweep.operator != operator]
        out = [sweep for sweep in single if sweep.operator == operator]
        touched = {domain_name(sweep) for sweep in out}
        refitted = fit_domains(left, {name for name in touched if name})
        partial = replace(shipped, domains={**shipped.domains, **refitted})
        for sweep in out:
            yield "operator left out", compare(sweep, partial)
    for name in sorted({domain_name(sweep) or "" for sweep in single}):
        partial = replace(shipped, domains=_without(name, shipped.domains))
        for sweep in single:
            if domain_name(sweep) == name:
                yield "kind left out", compare(sweep, partial)


def _without(name: str, domains: Mapping[str, DomainSet]) -> dict[str, DomainSet]:
    """The sets without one; where no other of its kind is left, what was believed before any data."""
    left = {key: item for key, item in domains.items() if key != name}
    alike = [item for item in left.values() if item.kind is domains[name].kind]
    if all(item.peer_to_peer is not domains[name].peer_to_peer for item in alike):
        left |= fit_domains([], {name})
    return left


def report_points(sweeps: Sequence[Sweep], calibration_for: Calibrated) -> None:
    """Points of a curve, of a machine's all-reduce and of few domains, each beside no points at all."""
    rows = []
    for where, several in (("one domain", False), ("several", True)):
        own = [sweep for sweep in sweeps if sweep.several is several and len(sweep.size_bytes) > POINTS]
        for points in COUNTS:
            answers = [compare(sweep, calibration_for(sweep), points) for sweep in own]
            rows.append(_line(f"{where}: a curve's other sizes", points, answers))
    for points in (0, POINTS):
        for where, several in (("one domain", False), ("several", True)):
            pairs = [pair for pair in _other_collectives(sweeps) if pair[0].several is several]
            rows.append(
                _line(f"{where}: other collectives", points, _answers(pairs, calibration_for, points))
            )
        more = list(_more_domains(sweeps))
        rows.append(_line("2 to 16 times the domains", points, _answers(more, calibration_for, points)))
    print_table("With measured points, constants that have not seen the operator", HEADER, rows)


@dataclass(frozen=True, slots=True)
class Rest:
    """
    What points of a machine's all-reduce do to all its other curves.

    Attributes:
        before, after: Medians over their rows of |ln(predicted / measured)|, without points and with them.
        inside: Share of the rows inside the band with points.
    """

    machine: str
    rows: int
    before: float
    after: float
    inside: float


def rest_by_machine(sweeps: Sequence[Sweep], calibration_for: Calibrated, points: int) -> list[Rest]:
    """
    Every other curve of each machine, given some results of one of its all-reduces in turn.

    Sweeps of one setting at two sites are of two machines, so neither is asked with the other's points.
    """
    machines: dict[tuple[object, ...], list[Sweep]] = defaultdict(list)
    for sweep in sweeps:
        if sweep.comm.ranks > 1 and sweep.setting.algorithm == "auto":
            machines[sweep.operator, sweep.environment, cluster_key(sweep.setting)].append(sweep)
    rests = []
    for own in machines.values():
        pairs = [
            (known, asked)
            for known in own
            for asked in own
            if _is_library(known) and asked.setting != known.setting
        ]
        if pairs:
            errors = [list(_answers(pairs, calibration_for, count)) for count in (0, points)]
            before, after = (
                np.abs(np.log(np.concatenate([item.predicted_s / item.measured_s for item in answers])))
                for answers in errors
            )
            inside = np.concatenate([item.inside for item in errors[1]])
            name = f"{errors[0][0].site} ({own[0].setting.domain_gpus} GPUs a domain)"
            medians = float(np.median(before)), float(np.median(after))
            rests.append(Rest(name, int(before.size), *medians, float(inside.mean())))
    return rests


def _is_library(sweep: Sweep) -> bool:
    return sweep.setting.collective == "all_reduce" and sweep.setting.implementation in ("nccl", "rccl")


def report_rest(sweeps: Sequence[Sweep], shipped: Calibration) -> None:
    """By machine of the calibration: what nine all-reduce points do to its other curves."""
    rows = [
        (item.machine, str(item.rows), percent(item.before), percent(item.after), percent(item.inside))
        for item in rest_by_machine(sweeps, lambda _: shipped, POINTS)
    ]
    header = ("machine", "rows of its other curves", "no point", "nine of an all-reduce", "in band")
    print_table("Points never make the rest worse: medians by machine, shipped constants", header, rows)


def _line(name: str, points: int, answers: Iterable[Comparison]) -> tuple[str, ...]:
    result = score(answers)
    if result is None:
        return (name, str(points), "0", "", "", "", "", "", "")
    shares = (result.median, result.p90, result.site_mean, result.worst, result.coverage)
    return (name, str(points), str(result.rows), *map(percent, shares), result.worst_site)


def _answers(
    pairs: Iterable[tuple[Sweep, Sweep]], calibration_for: Calibrated, points: int
) -> Iterator[Comparison]:
    for known, asked in pairs:
        places = places_of(len(known.size_bytes), points)
        measured = [
            Point(known.setting, float(known.size_bytes[place]), float(known.time_s[place]))
            for place in places
        ]
        curve = compile_curve(asked.setting, measured, calibration_for(asked))
        yield comparison_of(asked, evaluate(curve, asked.size_bytes), np.ones(len(asked.size_bytes), bool))


def _other_collectives(sweeps: Sequence[Sweep]) -> Iterator[tuple[Sweep, Sweep]]:
    """The all-reduce of each machine beside its other collectives."""
    for known in sweeps:
        if known.setting.collective != "all_reduce" or known.setting.implementation not in ("nccl", "rccl"):
            continue
        for asked in sweeps:
            here = (asked.operator, asked.site) == (known.operator, known.site)
            same = replace(asked.setting, collective="all_reduce", algorithm="auto") == known.setting
            if here and same and asked.setting.collective != "all_reduce":
                yield known, asked


def _more_domains(sweeps: Sequence[Sweep]) -> Iterator[tuple[Sweep, Sweep]]:
    """Each curve of several domains beside the same on 2 to 16 times as many."""
    several = [sweep for sweep in sweeps if sweep.several and sweep.setting.algorithm == "auto"]
    for known in several:
        for asked in several:
            times = asked.setting.domains / known.setting.domains
            same = replace(asked.setting, domains=known.setting.domains) == known.setting
            if asked.machine == known.machine and same and 2 <= times <= MOST_TIMES:
                yield known, asked
