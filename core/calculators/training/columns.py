"""Scenarios of one job side by side: what differs is a column, so that all are computed at once."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.calculators.training.memory_saving import recomputing
from core.calculators.training.scenario import Scenario
from core.parallel.layout import Layout


@dataclass(frozen=True, eq=False)
class Columns(Scenario):
    """
    Scenarios that differ in TP, PP, VPP, DP and CP, in the micro-batch and the global batch size alone.

    ``step`` and ``memory`` of it hold columns, one entry a scenario.
    """

    def __post_init__(self) -> None:
        """Each scenario was checked when its layout was made."""


def columns(
    job: Scenario,
    layouts: Sequence[Layout],
    micro_batches: Sequence[int],
    global_batches: Sequence[int] | None = None,
) -> Columns:
    """
    The job in each layout with its micro-batch; all layouts have the same GPUs and EP degree.

    Strategy, recomputation and everything else are the job's, the global batch size too where none is given.
    """
    degrees = {name: _column([getattr(layout, name) for layout in layouts]) for name in _DEGREES}
    shared = vars(job) | {
        "layout": Layout(**degrees, ep=layouts[0].ep),
        "micro_batch": _column(micro_batches),
    }
    if global_batches is not None:
        shared["global_batch"] = _column(global_batches)
    return Columns(**shared)


def part(side_by_side: Columns, places: NDArray[np.intp], recompute: str) -> Columns:
    """Those at some places of scenarios with global batch sizes, with activation recomputation of a kind."""
    layout = side_by_side.layout
    degrees = {name: getattr(layout, name)[places] for name in _DEGREES}
    sizes = {name: getattr(side_by_side, name)[places] for name in ("micro_batch", "global_batch")}
    shared = vars(side_by_side) | sizes | {"layout": Layout(**degrees, ep=layout.ep)}
    return Columns(**shared | recomputing(side_by_side, recompute))


_DEGREES = tuple(item.name for item in fields(Layout) if item.name != "ep")


def _column(values: Sequence[int]) -> int:
    """Typed as one of its entries: formulas take either."""
    return cast("int", np.array(values))


def in_layout(job: Scenario, layout: Layout, micro_batch: int, strategy: str, recompute: str) -> Scenario:
    """The job in another layout, unchecked: a search makes many that were checked as they were listed."""
    scenario = object.__new__(type(job))
    changed = job.by_strategy(strategy) | recomputing(job, recompute)
    vars(scenario).update(vars(job), layout=layout, micro_batch=micro_batch, **changed)
    return scenario
