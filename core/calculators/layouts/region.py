"""The flip map: two inputs turned at once, and which layout wins where."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.calculators.layouts.flips import RIVALS, Knob
from core.calculators.layouts.train import Ranked
from core.calculators.training.step import step


@dataclass(frozen=True, slots=True)
class Region:
    """
    One cell of the map.

    Attributes:
        across, up: Factors on the two inputs.
        winner: Place of the winning layout in the ranking.
        step_s: Its step.
        margin: How much longer the next layout takes, as a share.
    """

    across: float
    up: float
    winner: int
    step_s: float
    margin: float


def regions(
    ranked: Sequence[Ranked],
    across: Knob,
    up: Knob,
    factors: Sequence[float],
    factors_up: Sequence[float] | None = None,
) -> tuple[Region, ...]:
    """
    Every pair of factors, rows of ``up`` one after the other.

    Only the best few layouts of the ranking stand for election.
    """
    scenarios = [item.scenario for item in ranked[:RIVALS]]
    found = []
    for row in factors if factors_up is None else factors_up:
        for column in factors:
            steps = [step(up.turned(across.turned(job, column), row)).total_s for job in scenarios]
            first = min(range(len(steps)), key=steps.__getitem__)
            rest = [seconds for place, seconds in enumerate(steps) if place != first]
            margin = min(rest) / steps[first] - 1 if rest else 0.0
            found.append(Region(column, row, first, steps[first], margin))
    return tuple(found)


def flip_map(ranked: Sequence[Ranked], across: Knob, up: Knob, factors: Sequence[float]) -> list[list[str]]:
    """Which layout wins for each pair of factors: rows follow ``up``, columns ``across``."""
    names = [ranked[cell.winner].name() for cell in regions(ranked, across, up, factors)]
    width = len(factors)
    return [names[start : start + width] for start in range(0, len(names), width)]
