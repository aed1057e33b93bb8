"""The fastest layout of a job at several global batch sizes, all of them computed side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.calculators.layouts.candidates import Limits, Option, alike_options, least_recompute
from core.calculators.question import RECOMPUTE
from core.calculators.training import Scenario
from core.calculators.training.columns import columns, in_layout, part
from core.calculators.training.step import step
from core.checks import Floats

DIGITS = 9
ROUNDING_S = 2e-9
"""Steps closer than that may rank as equal."""


@dataclass(frozen=True, slots=True)
class _Row:
    """An option at a global batch size, and its place among all of that size."""

    option: Option
    job: Scenario
    place: int


@dataclass(slots=True)
class _Best:
    """The shortest steps at a global batch size so far, as they would be ranked."""

    seconds: list[float] = field(default_factory=list)
    rows: list[_Row] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    def first(self) -> Scenario:
        """The first of the ranking."""
        least_s = min(self.seconds)
        order = (
            (round(step_s, DIGITS), row.option.layout.cp, row.option.layout.vpp, row.place, number)
            for number, (step_s, row) in enumerate(zip(self.seconds, self.rows, strict=True))
            if step_s <= least_s + ROUNDING_S
        )
        number = min(order)[-1]
        row = self.rows[number]
        option = row.option
        return in_layout(row.job, option.layout, option.micro_batch, option.strategy, self.kinds[number])


def fastest_by_batch(
    jobs: Sequence[Scenario], gpus: int, limits: Limits | None = None
) -> dict[int, Scenario]:
    """
    The scenario ranked first of each job, by its global batch size; none where nothing fits.

    Args:
        jobs: One job at global batch sizes that differ, on a system that is large enough.
        gpus: All of them.
        limits: The widest TP and PP.

    Raises:
        InputError: Rates that cannot be priced.
    """
    rows: dict[tuple[str, int], list[_Row]] = {}
    for job in jobs:
        for key, place, option in _placed(job, gpus, limits):
            rows.setdefault(key, []).append(_Row(option, job, place))
    best: dict[int, _Best] = {}
    for (strategy, _), group in rows.items():
        for seconds, kind, row in _shortest(replace(jobs[0], **jobs[0].by_strategy(strategy)), group):
            at = best.setdefault(row.job.global_batch, _Best())
            at.seconds.append(seconds)
            at.kinds.append(kind)
            at.rows.append(row)
    return {global_batch: at.first() for global_batch, at in best.items()}


def _placed(job: Scenario, gpus: int, limits: Limits | None) -> Iterator[tuple[tuple[str, int], int, Option]]:
    place = 0
    for key, group in alike_options(job, gpus, limits).items():
        for option in group:
            yield key, place, option
            place += 1


def _shortest(job: Scenario, rows: Sequence[_Row]) -> Iterator[tuple[float, str, _Row]]:
    """Of options of one strategy and EP degree the shortest steps at each batch, with their recomputation."""
    batches = np.array([row.job.global_batch for row in rows])
    for seconds, kind, places in _steps(job, rows):
        sizes = batches[places]
        for size in np.unique(sizes):
            own_s = np.where(sizes == size, seconds, np.inf)
            for number in np.flatnonzero(own_s <= own_s.min() + ROUNDING_S).tolist():
                yield float(own_s[number]), kind, rows[places[number]]


def _steps(job: Scenario, rows: Sequence[_Row]) -> Iterator[tuple[Floats, str, NDArray[np.intp]]]:
    """Of options of one strategy and EP degree those that fit: steps by recomputation, and their places."""
    side_by_side = columns(
        job,
        [row.option.layout for row in rows],
        [row.option.micro_batch for row in rows],
        [row.job.global_batch for row in rows],
    )
    least = least_recompute(job, side_by_side, len(rows))
    for number, kind in enumerate(RECOMPUTE):
        places = np.flatnonzero(least == number)
        if places.size:
            yield np.broadcast_to(step(part(side_by_side, places, kind)).total_s, places.size), kind, places
