"""Whether a machine is slower than it was: its newest run against everything it measured before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.checks import InputError
from core.measurement import Run
from core.measurement.comparison import Change, SizeChange, compare_runs

LEAST_EARLIER = 2
"""Earlier runs that make a history: one run may itself be the odd one out."""


@dataclass(frozen=True, slots=True)
class Slowdown:
    """
    An operation that takes longer than it did.

    Attributes:
        operation: As the log calls it.
        ratio: Median over sizes of the newest time over the median of the earlier ones.
        sizes: Message sizes (by placement) that were compared.
        slower: How many of them are slower beyond noise.
        earlier_runs: How many earlier runs were compared with.
    """

    operation: str
    ratio: float
    sizes: int
    slower: int
    earlier_runs: int


def slowdowns(earlier: Sequence[Run], newest: Run) -> tuple[Slowdown, ...]:
    """
    The operations in which more than half of the sizes are slower beyond noise.

    The earlier runs are taken together as repeats of one run: their median is what was usual, their
    scatter is noise. Empty where fewer than ``LEAST_EARLIER`` of them can be compared with the newest.
    """
    comparable = [run for run in earlier if _shares(run, newest)]
    if len(comparable) < LEAST_EARLIER:
        return ()
    usual = replace(newest, samples=tuple(sample for run in comparable for sample in run.samples))
    by_operation: dict[str, list[SizeChange]] = {}
    for change in compare_runs(usual, newest).changes:
        if change.operation is not None:
            by_operation.setdefault(change.operation, []).append(change)
    judged = (_slowdown(name, changes, len(comparable)) for name, changes in by_operation.items())
    return tuple(item for item in judged if 2 * item.slower > item.sizes)


def _shares(run: Run, newest: Run) -> bool:
    """Whether the two measured the same question at one size at least."""
    try:
        compare_runs(run, newest)
    except InputError:
        return False
    return True


def _slowdown(operation: str, changes: Sequence[SizeChange], earlier_runs: int) -> Slowdown:
    return Slowdown(
        operation=operation,
        ratio=float(np.median([change.ratio for change in changes])),
        sizes=len(changes),
        slower=sum(change.change is Change.SLOWER for change in changes),
        earlier_runs=earlier_runs,
    )
