"""The crossover map: which layout is fastest as two inputs change together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.calculators.layouts.inputs import Input
from core.calculators.layouts.many_steps import alike, steps_s
from core.calculators.layouts.training_ranking import RankedLayout
from core.calculators.training import Scenario

COMPARED = 8
"""Layouts of a ranking that are compared while two inputs change."""


@dataclass(frozen=True, slots=True)
class MapCell:
    """
    One cell of the map.

    Attributes:
        across, up: Factors on the two inputs.
        winner: Index of the fastest layout in the ranking.
        step_s: Its step.
        margin: How much longer the next layout takes, as a share.
    """

    across: float
    up: float
    winner: int
    step_s: float
    margin: float


def crossover_map(
    ranked: Sequence[RankedLayout],
    across: Input,
    up: Input,
    factors: Sequence[float],
    factors_up: Sequence[float] | None = None,
) -> tuple[MapCell, ...]:
    """
    Every pair of factors, rows of ``up`` one after the other.

    Only the best few layouts of the ranking are compared.
    """
    groups = alike([layout.scenario for layout in ranked[:COMPARED]])
    cells = []
    for row in factors if factors_up is None else factors_up:
        for column in factors:
            seconds = steps_s(groups, partial(_scaled, across=(across, column), up=(up, row)))
            ordered = np.argsort(seconds, kind="stable").tolist()
            first_s, second_s = (
                float(seconds[place]) for place in (ordered[0], ordered[min(1, len(ordered) - 1)])
            )
            cells.append(MapCell(column, row, ordered[0], first_s, second_s / first_s - 1))
    return tuple(cells)


def _scaled(job: Scenario, *, across: tuple[Input, float], up: tuple[Input, float]) -> Scenario:
    """The job with two inputs, each multiplied by its factor."""
    for changed, factor in (across, up):
        job = changed.scaled(job, factor)
    return job
