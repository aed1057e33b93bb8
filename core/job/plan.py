"""A change in the terms of the replay: the kinds of call and their prices, here and there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.collectives.question import FabricQuestion
from core.job.change import Change
from core.job.durations import Ratios, ratios
from core.job.explain import Explanation
from core.job.kinds import Kind
from core.job.new_groups import new_groups
from core.job.prices import Prices, price
from core.job.trace_fit import fit_trace

Pricer = Callable[[Sequence[Kind]], Prices]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """
    What the replay needs to know of a change.

    Attributes:
        kinds, kinds_there: Of the trace, and the same with the new group sizes.
        here, there: Their prices.
        price_here, price_there: Price any kind on either side.
        ratios: There over here.
        bucket_bytes: New size of gradient buckets; None keeps them.
        gpus, gpus_there: Ranks of the job; None where the trace does not tell.
        remarks: What could not be priced.
    """

    kinds: tuple[Kind, ...]
    kinds_there: tuple[Kind, ...]
    here: Prices
    there: Prices
    price_here: Pricer
    price_there: Pricer
    ratios: Ratios
    bucket_bytes: float | None
    gpus: int | None
    gpus_there: int | None
    remarks: tuple[str, ...]


def plan_of(told: Explanation, change: Change) -> Plan:
    """
    The kinds and prices of a change.

    Raises:
        InputError: A parallelism that the trace does not show, or a system that cannot hold the job.
    """
    kinds = told.table.kinds
    gpus = told.job.world_size or (len(told.job.ranks) or None)
    groups = new_groups(told, change.ranks, gpus)
    kinds_there, gpus_there = groups.kinds, groups.gpus
    price_here = _pricer(told, change.here, gpus)
    price_there = _pricer(told, change.there or change.here, gpus_there)
    here, there = price_here(kinds), price_there(kinds_there)
    change_ratios = ratios(here, there)
    return Plan(
        kinds=kinds,
        kinds_there=kinds_there,
        here=here,
        there=there,
        price_here=price_here,
        price_there=price_there,
        ratios=change_ratios,
        bucket_bytes=change.bucket_bytes,
        gpus=gpus,
        gpus_there=gpus_there,
        remarks=(*groups.remarks, *_remarks(kinds, change_ratios, here, there)),
    )


def _pricer(told: Explanation, question: FabricQuestion | None, gpus: int | None) -> Pricer:
    """Prices by the model of a system, or by a line through the trace's own calls."""
    if question is not None:
        return lambda kinds: price(kinds, question, gpus)
    fit = fit_trace(told.totals)
    if fit is not None:
        return fit.prices
    return _unpriced


def _unpriced(kinds: Sequence[Kind]) -> Prices:
    nothing = np.full(len(kinds), np.nan)
    return Prices(nothing, nothing, nothing)


def _remarks(kinds: Sequence[Kind], change: Ratios, here: Prices, there: Prices) -> tuple[str, ...]:
    lines = [*here.remarks, *there.remarks]
    if change.unpriced:
        lines.append(
            f"{len(change.unpriced)} of {len(kinds)} kinds of call have no expected time: they keep their own"
        )
    return tuple(dict.fromkeys(lines))
