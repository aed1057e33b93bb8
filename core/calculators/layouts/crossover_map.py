"""The crossover map: which layout is fastest as two inputs change together."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.calculators.layouts.crossovers import COMPARED, Input
from core.calculators.layouts.training_ranking import RankedLayout
from core.calculators.training import step


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
    scenarios = [layout.scenario for layout in ranked[:COMPARED]]
    cells = []
    for row in factors if factors_up is None else factors_up:
        for column in factors:
            steps = [step(up.scaled(across.scaled(job, column), row)).total_s for job in scenarios]
            winner = min(range(len(steps)), key=steps.__getitem__)
            rest = [seconds for index, seconds in enumerate(steps) if index != winner]
            margin = min(rest) / steps[winner] - 1 if rest else 0.0
            cells.append(MapCell(column, row, winner, steps[winner], margin))
    return tuple(cells)
