"""The timelines of a change: all of it, each part after the other, and its bounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.checks import Floats, InputError
from core.job.buckets import rebucketed
from core.job.compute_factor import ComputeFactor
from core.job.durations import Ratios
from core.job.kinds import Kind
from core.job.parallelism import Parallelism
from core.job.plan import Plan
from core.job.prices import Prices
from core.job.replay import replay
from core.job.timelines import Line, Timelines, new_durations
from core.traces.records import Integers

COMPUTE, BUCKETS = "Compute", "Bucket size"
GRADIENTS = ("all_reduce", "reduce_scatter")
LEAST_BUCKET = 0.01
"""A call of less than this share of the largest is no gradient bucket (a loss, a norm)."""


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the waterfall from today's step to the new one: seconds of a step that it adds."""

    name: str
    change_s: float


def after(lines: Timelines, plan: Plan, compute_factor: float) -> Timelines:
    """The timelines with the whole change."""
    if plan.bucket_bytes is None:
        return _repriced(lines, plan.ratios, compute_factor)
    return _rebucketed(lines, plan, plan.bucket_bytes, compute_factor, _central)


def _repriced(lines: Timelines, change: Ratios, compute_factor: float) -> Timelines:
    return lines.with_durations(
        lambda line: new_durations(line, change, compute_factor).central_s, compute_factor
    )


def _rebucketed(
    lines: Timelines, plan: Plan, bucket_bytes: float, compute_factor: float, of: Callable[[Prices], Floats]
) -> Timelines:
    """The timelines with other gradient buckets at this end of their prices."""
    new = tuple(_with_buckets(line, plan, bucket_bytes, compute_factor, of) for line in lines.lines)
    return replace(lines, lines=new)


def _central(prices: Prices) -> Floats:
    return prices.time_s


def _low(prices: Prices) -> Floats:
    return prices.low_s


def _high(prices: Prices) -> Floats:
    return prices.high_s


def bounds_s(lines: Timelines, new: Timelines, plan: Plan, compute: ComputeFactor) -> tuple[float, float]:
    """The interval of the new length; that of other buckets is as wide as their prices make it."""
    central = new.total_s
    low = lines.bound_s(plan.ratios, compute.low, late=False)
    high = lines.bound_s(plan.ratios, compute.high, late=True)
    if plan.bucket_bytes is not None:
        shift = central - _repriced(lines, plan.ratios, compute.factor).total_s
        fast = _rebucketed(lines, plan, plan.bucket_bytes, compute.low, _low).total_s
        slow = _rebucketed(lines, plan, plan.bucket_bytes, compute.high, _high).total_s
        low, high = min(low + shift, fast), max(high + shift, slow)
    return min(low, central), max(high, central)


def waterfall(lines: Timelines, new: Timelines, plan: Plan, compute_factor: float) -> tuple[Term, ...]:
    """What compute, each operation of each parallelism, and the buckets add to a step, in this order."""
    at, terms = lines.total_s, []
    priced: set[int] = set()
    parts = [(COMPUTE, set[int]()), *_operations(plan.kinds)]
    for name, kinds in parts:
        priced |= kinds
        length = _repriced(lines, plan.ratios.only(priced), compute_factor).total_s
        terms.append(Term(name, (length - at) * lines.per_step))
        at = length
    if plan.bucket_bytes is not None:
        terms.append(Term(BUCKETS, (new.total_s - at) * lines.per_step))
    return tuple(terms)


def _operations(kinds: Sequence[Kind]) -> list[tuple[str, set[int]]]:
    """Kinds by parallelism and operation."""
    parts: dict[str, set[int]] = {}
    for index, kind in enumerate(kinds):
        name = (
            kind.operation
            if kind.parallelism == Parallelism.UNKNOWN
            else f"{kind.parallelism} {kind.operation}"
        )
        parts.setdefault(name, set()).add(index)
    return list(parts.items())


def _with_buckets(
    line: Line, plan: Plan, bucket_bytes: float, compute_factor: float, of: Callable[[Prices], Floats]
) -> Line:
    """A rank's timeline with other gradient buckets."""
    sizes = np.array([float(plan.kinds[kind].size_bytes) for kind in line.kinds])
    sets = _bucket_sets(line, plan.kinds, sizes)
    central_s = new_durations(line, plan.ratios, compute_factor).central_s
    measured_s = np.where(np.isfinite(line.wire_s), line.wire_s, line.known.duration_s)

    def seconds_of(first: int, new_sizes: Floats) -> Floats:
        rows = np.flatnonzero(sets == sets[first])
        here_s = plan.here.time_s[line.kinds[rows]]
        there = plan.kinds_there[line.kinds[first]]
        wanted = of(plan.price_there([replace(there, size_bytes=int(size)) for size in new_sizes]))
        waiting_s = compute_factor * float((line.known.duration_s - measured_s)[rows].sum())
        waiting_s *= min(1.0, new_sizes.size / rows.size)  # each call waits once for the slowest rank
        shares = new_sizes / new_sizes.sum()
        traced_s = float(measured_s[rows].sum())
        priced = here_s.sum() > 0 and bool(np.isfinite(wanted).all())
        seconds: Floats = wanted * traced_s / here_s.sum() if priced else shares * traced_s
        seconds += waiting_s * shares
        return seconds

    known, seconds = rebucketed(line.known, sets, sizes, central_s, bucket_bytes, seconds_of)
    return replace(line, known=known, replayed=replay(known, seconds, compute_factor))


def _bucket_sets(line: Line, kinds: Sequence[Kind], sizes: Floats) -> Integers:
    """
    For each call the number of its set of buckets, one a step and operation; -1 for other calls.

    Raises:
        InputError: The trace shows no gradient buckets with bytes, or marks no steps.
    """
    names = [kinds[kind] for kind in line.kinds]
    gradients = np.array(
        [kind.parallelism == Parallelism.DATA and kind.operation in GRADIENTS for kind in names], bool
    )
    gradients &= (sizes > 0) & (line.steps >= 0)
    if not gradients.any():
        message = (
            "bucket size: the trace shows no data-parallel all_reduce or reduce_scatter with bytes "
            "in a marked step"
        )
        raise InputError(message)
    gradients &= sizes >= LEAST_BUCKET * sizes[gradients].max()
    numbers: dict[tuple[int, str, int | None], int] = {}
    sets = np.full(sizes.size, -1, np.int64)
    for index in np.flatnonzero(gradients).tolist():
        key = (int(line.steps[index]), names[index].operation, names[index].ranks)
        sets[index] = numbers.setdefault(key, len(numbers))
    return sets
