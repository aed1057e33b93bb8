"""MFU of ranked layouts with its interval, those alike in kind computed as columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from core.calculators.layouts.many_steps import alike
from core.calculators.layouts.training_ranking import RankedLayout
from core.calculators.training.interval import step_interval
from core.calculators.training.speed import speed_of


@dataclass(frozen=True, slots=True)
class Mfu:
    """Model FLOPs utilization of a layout, and the ends of its interval."""

    usual: float
    low: float
    high: float


def mfus(layouts: Sequence[RankedLayout]) -> tuple[Mfu, ...]:
    """Of layouts of one job, as the training calculator answers each of them."""
    seconds = np.array([layout.step_s for layout in layouts])
    low_s, high_s = np.empty_like(seconds), np.empty_like(seconds)
    for group in alike([layout.scenario for layout in layouts]):
        places = list(group.places)
        low_s[places], high_s[places] = step_interval(group.side_by_side, cast("float", seconds[places]))
    usual = [speed_of(layout.scenario, layout.step_s).mfu for layout in layouts]
    rows = zip(usual, usual * seconds / high_s, usual * seconds / low_s, strict=True)
    return tuple(Mfu(*(float(figure) for figure in row)) for row in rows)
