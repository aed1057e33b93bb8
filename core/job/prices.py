"""What the model expects of each kind of call on a system: seconds, interval, and what they rest on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.checks import Floats, InputError
from core.collectives.pricing import Scenario, sweep
from core.collectives.question import FabricQuestion
from core.hardware import System
from core.job.kinds import Kind
from core.job.message_sizes import PRICED_AS
from core.parallel.groups import group_system
from core.parallel.grow import grow_to


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """
    Seconds of each kind of call, NaN where the model expects nothing.

    Attributes:
        time_s, low_s, high_s: Prediction and its interval (p10-p90).
        basis: What the figures rest on, each once.
        remarks: What could not be priced and why, each once.
    """

    time_s: Floats
    low_s: Floats
    high_s: Floats
    basis: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """Kinds that differ in size alone: one operation over one placement of ranks."""

    operation: str
    ranks: int
    stride: int


def series_of(kind: Kind) -> Series | None:
    """The series of a kind; None where the model has no such operation, or ranks or bytes are unknown."""
    if kind.operation not in PRICED_AS or kind.ranks is None or kind.size_bytes < 0:
        return None
    return Series(PRICED_AS[kind.operation], kind.ranks, kind.stride)


def by_series(kinds: Sequence[Kind]) -> dict[Series, list[int]]:
    """Indices of the kinds of each series."""
    series: dict[Series, list[int]] = {}
    for index, kind in enumerate(kinds):
        if (which := series_of(kind)) is not None:
            series.setdefault(which, []).append(index)
    return series


def system_for(system: System, kinds: Sequence[Kind], world_size: int | None) -> System:
    """The system with the domains that the job needs; InputError where it has no network for them."""
    reach = [kind.ranks * kind.stride for kind in kinds if kind.ranks is not None]
    return grow_to(system, max([world_size or 1, *reach]))


def price(kinds: Sequence[Kind], question: FabricQuestion, world_size: int | None) -> Prices:
    """
    What each kind of call should take.

    Raises:
        InputError: The job needs several domains of a system without a network.
    """
    system = system_for(question.system, kinds, world_size)
    time_s, low_s, high_s = (np.full(len(kinds), np.nan) for _ in range(3))
    basis: dict[str, None] = {}
    remarks: dict[str, None] = {}
    for series, indices in by_series(kinds).items():
        sizes = np.array([float(kinds[index].size_bytes) for index in indices])
        if series.ranks == 1:
            time_s[indices] = low_s[indices] = high_s[indices] = 0.0
            continue
        try:
            priced = sweep(_scenario(system, series, question), sizes)
        except InputError as problem:
            remarks[f"{series.operation} over {series.ranks} ranks is not priced: {problem}"] = None
            continue
        for column, values in ((time_s, priced.time_s), (low_s, priced.low_s), (high_s, priced.high_s)):
            column[indices] = values
        basis[priced.basis] = None
    return Prices(time_s, low_s, high_s, tuple(basis), tuple(remarks))


def _scenario(system: System, series: Series, question: FabricQuestion) -> Scenario:
    return Scenario(
        placed_system(system, series),
        series.operation,
        series.ranks,
        rates=question.rates,
        implementation=question.implementation,
        launch=question.launch,
    )


def placed_system(system: System, series: Series) -> System:
    """The part of the system that the group uses while all groups like it communicate."""
    kind = Kind("", series.ranks, series.stride, series.operation, 0, "")
    placement = kind.placement
    return system if placement is None or series.ranks == 1 else group_system(system, placement)
