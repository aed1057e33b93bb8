"""The plan: one run after the other, each the one that narrows the prediction interval most."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.checks import InputError, choice, count
from core.collectives.cost_model import MODEL_VERSION, Point, Setting
from core.collectives.cost_model.machine import cluster_key
from core.collectives.nccl_tests import command, host_gpus
from core.collectives.plan.promise import promise_of
from core.collectives.plan.targets import (
    COLLECTIVES,
    SIZES,
    Group,
    answered_width,
    grouped,
    times_wide,
    widths_after,
    widths_now,
)
from core.collectives.pricing import Scenario, setting_of
from core.collectives.question import Software
from core.hardware import System

MOST_RUNS = 20
MOST_DOMAIN_COUNTS = 4
MOST_POINTS = 64
"""That the choice of the next run looks at; widths count all of them."""
REMARK = (
    "Widths assume that runs inside a domain measure what is expected; across domains they are the mean over "
    "clusters that do and clusters at either end of their interval. "
    "Averages over 16 KiB to 4 GiB of the collectives and domain counts below."
)

BUILT = "nccl-tests must be built with MPI=1: without it each process measures alone."
HOSTS = "Where no scheduler tells mpirun the hosts, add -H or --hostfile."
OTHER_KERNELS = (
    "A run without a command is of an engine's own kernel: time it with a benchmark of the engine."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """
    One run of nccl-tests at one size.

    Attributes:
        expected_s: What the cost model expects it to measure.
        width_after: High over low end of the average interval once it and those before it are measured.
        command: Empty where nccl-tests runs no such kernel.
    """

    collective: str
    ranks: int
    domains: int
    size_bytes: int
    expected_s: float
    width_after: float
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """
    Runs in the order in which they tell most.

    Attributes:
        points: Measured already and of this cluster.
        width_before: High over low end of the average interval with those alone.
        collectives, domain_counts: What the average is over.
    """

    system: str
    points: int
    width_before: float
    runs: tuple[PlannedRun, ...]
    collectives: tuple[str, ...]
    domain_counts: tuple[int, ...]
    warnings: tuple[str, ...]
    model_version: str

    def json(self) -> dict[str, Any]:
        """The plan as the shell prints it."""
        values = asdict(self)
        lists = {name: list(values[name]) for name in ("runs", "collectives", "domain_counts", "warnings")}
        return values | lists


def measurement_plan(
    system: System,
    *,
    runs: int = 5,
    points: Sequence[Point] = (),
    collectives: Sequence[str] = COLLECTIVES,
    software: Software | None = None,
) -> Plan:
    """
    At most so many runs of nccl-tests, each the one that narrows the interval most given those before.

    Args:
        system: The cluster.
        runs: At most, up to ``MOST_RUNS``.
        points: Measured already; those of another machine do not count.
        collectives: That will be asked for, and may be measured.
        software: Library and launch.

    Raises:
        InputError: One GPU alone, no collective, or a number of runs out of range.
    """
    count("runs", runs, most=MOST_RUNS)
    names = tuple(dict.fromkeys(choice("collectives", name, COLLECTIVES) for name in collectives))
    if not names:
        message = f"collectives: at least one of {', '.join(COLLECTIVES)}"
        raise InputError(message)
    domain_counts = _domain_counts(system)
    asked = [
        _scenario(system, name, domains, software or Software())
        for domains in domain_counts
        for name in names
    ]
    scenarios = {setting_of(scenario): scenario for scenario in asked}
    settings = list(scenarios)
    if all(item.domain_gpus * item.domains == 1 for item in settings):
        message = f"system: {system.id} has one GPU; there is nothing to measure between GPUs"
        raise InputError(message)
    groups = grouped(settings)
    keys = {cluster_key(setting) for setting in settings}
    measured = tuple(point for point in points if cluster_key(point.setting) in keys)
    planned = _planned(scenarios, groups, measured, runs)
    return Plan(
        system=system.id,
        points=len(measured),
        width_before=times_wide(answered_width(settings, measured)),
        runs=planned,
        collectives=names,
        domain_counts=domain_counts,
        warnings=(
            REMARK,
            *_exhausted(len(planned), runs),
            *_foreign(len(points) - len(measured)),
            *_started(planned, system),
        ),
        model_version=MODEL_VERSION,
    )


def _exhausted(planned: int, runs: int) -> tuple[str, ...]:
    """Why there are fewer runs than there may be."""
    if planned == runs:
        return ()
    return ("Every size of every collective is measured then: more runs would tell nothing.",)


def _foreign(others: int) -> tuple[str, ...]:
    if not others:
        return ()
    return (f"{others} measured {'point is' if others == 1 else 'points are'} of another machine",)


def _started(planned: Sequence[PlannedRun], system: System) -> tuple[str, ...]:
    """What a user must add to the commands."""
    notes = [BUILT] if any(run.command for run in planned) else []
    if any(run.ranks > host_gpus(system.gpu, system.domain_gpus) for run in planned):
        notes.append(HOSTS)
    if not all(run.command for run in planned):
        notes.append(OTHER_KERNELS)
    return tuple(notes)


def _planned(
    scenarios: Mapping[Setting, Scenario], groups: Sequence[Group], measured: tuple[Point, ...], runs: int
) -> tuple[PlannedRun, ...]:
    promise, planned = promise_of(measured), []
    for _ in range(runs):
        best = _best(groups, promise.expected)
        if best is None:
            break
        setting, size = best
        promise = promise.with_run(setting, size)
        planned.append(
            PlannedRun(
                collective=setting.collective,
                ranks=setting.domain_gpus * setting.domains,
                domains=setting.domains,
                size_bytes=int(size),
                expected_s=promise.expected[-1].time_s,
                width_after=times_wide(promise.width(list(scenarios))),
                command=command(scenarios[setting], int(size), int(size)),
            )
        )
    return tuple(planned)


def _best(groups: Sequence[Group], known: tuple[Point, ...]) -> tuple[Setting, float] | None:
    """The run that takes most off the sum of ln widths; None where everything is measured already."""
    done = {(point.setting, point.size_bytes) for point in known}
    best: tuple[Setting, float] | None = None
    most = -np.inf
    for group in groups:
        key = cluster_key(group.settings[0])
        own = _thinned([point for point in known if cluster_key(point.setting) == key])
        now = widths_now(group, own)
        runs = [(setting, size) for setting in group.settings for size in SIZES.tolist()]
        for run, after in zip(runs, widths_after(group, own).tolist(), strict=True):
            if now - after > most and run not in done:
                best, most = run, now - after
    return best


def _thinned(points: list[Point]) -> list[Point]:
    """Every so many of them: enough to tell what is known from what is not."""
    return points[:: 1 + len(points) // MOST_POINTS] if len(points) > MOST_POINTS else points


def _domain_counts(system: System) -> tuple[int, ...]:
    """One domain, all of them, and powers of two between, evenly taken where there are many."""
    powers = [2**power for power in range(1, 31) if 2**power < system.domains]
    if len(powers) > MOST_DOMAIN_COUNTS - 2:
        powers = [powers[0], powers[len(powers) // 2]]
    inside = [1] if system.domain_gpus > 1 else []
    return tuple(dict.fromkeys([*inside, *powers, system.domains]))


def _scenario(system: System, collective: str, domains: int, software: Software) -> Scenario:
    return Scenario(
        system,
        collective=collective,
        ranks=domains * system.domain_gpus,
        implementation=software.implementation,
        launch=software.launch,
    )
