"""Exposed communication by overlap mode: none known, a stated fraction, or a timeline of buckets."""

from collections.abc import Sequence

import numpy as np

from core.calculators.gradient_sync.answer import Pass
from core.calculators.gradient_sync.interval import slows_compute
from core.calculators.gradient_sync.price import Priced
from core.calculators.gradient_sync.scenario import Scenario
from core.calculators.gradient_sync.timeline import (
    exposed_by_fraction,
    gather_ahead,
    gather_and_reduce,
    reduce_behind,
)
from core.catalog.calibrations.training import OVERLAP_COST
from core.checks import Floats
from core.parallel.traffic import BACKWARD, FORWARD, UPDATE

NONE, FRACTION, BUCKETS = "none", "fraction", "buckets"


def mode(scenario: Scenario) -> str:
    """The overlap mode of a scenario: ``none``, ``fraction`` or ``buckets``."""
    if scenario.overlap is not None:
        return FRACTION
    return NONE if scenario.compute is None else BUCKETS


def exposed(scenario: Scenario, collectives: Sequence[Priced]) -> tuple[float, tuple[Pass, ...]]:
    """
    Exposed communication of one optimizer step in seconds, with its timelines in bucket mode.

    What overlaps slows the compute beside it; that counts as exposed, as in the training calculator. Where
    the share that overlaps or the MFU is stated, it is what the job has beside its communication.
    """
    comm_s = sum(item.answer.bucketed_s for item in collectives)
    uncovered_s, timelines = _uncovered(scenario, collectives, comm_s)
    slowed_s = OVERLAP_COST * (comm_s - uncovered_s) if slows_compute(scenario) else 0.0
    return uncovered_s + slowed_s, timelines


def _uncovered(
    scenario: Scenario, collectives: Sequence[Priced], comm_s: float
) -> tuple[float, tuple[Pass, ...]]:
    """Communication beside which nothing is computed."""
    compute = scenario.compute
    if scenario.overlap is not None:
        passes = max((item.phase.times for item in collectives if item.phase.when == BACKWARD), default=1)
        backward_s = comm_s if compute is None else passes * compute[1]
        return exposed_by_fraction(comm_s, backward_s, scenario.overlap), ()
    if compute is None or not collectives:
        return comm_s, ()
    timelines = _passes(scenario, collectives, *compute)
    return min(comm_s, sum(item.exposed_s for item in timelines)), timelines


def _passes(
    scenario: Scenario, collectives: Sequence[Priced], forward_s: float, backward_s: float
) -> tuple[Pass, ...]:
    """Timelines of one step: forward and backward of the micro-batches, and the next forward."""
    passes = []
    for item in collectives:
        if item.phase.when in (FORWARD, UPDATE):
            name = "forward" if item.phase.when == FORWARD else "next forward"
            timeline = gather_ahead(item.phase.name, forward_s, item.sizes, item.bucket_s)
            passes.append(Pass(name, item.phase.times, timeline))
    backward = [item for item in collectives if item.phase.when == BACKWARD]
    if len(backward) == 1:
        only = backward[0]
        timeline = reduce_behind(only.phase.name, backward_s, only.sizes, only.bucket_s)
        return (*passes, Pass("backward", only.phase.times, timeline))
    return (*passes, *_sharded_backward(backward, backward_s, scenario.accumulation))


def _sharded_backward(backward: Sequence[Priced], backward_s: float, steps: int) -> list[Pass]:
    """Backward passes; where a collective runs only after the last micro-batch, that one has its own."""
    gather, *reduces = backward
    every_step = [item for item in reduces if item.phase.times == steps]
    names = gather.phase.name, " + ".join(item.phase.name for item in reduces)
    last = gather_and_reduce(names, backward_s, gather.sizes, gather.bucket_s, _sum(reduces, gather.sizes))
    if len(every_step) == len(reduces):
        return [Pass("backward", steps, last)]
    plain_names = gather.phase.name, " + ".join(item.phase.name for item in every_step) or "nothing"
    plain = gather_and_reduce(
        plain_names, backward_s, gather.sizes, gather.bucket_s, _sum(every_step, gather.sizes)
    )
    return [Pass("backward", steps - 1, plain), Pass("last backward", 1, last)]


def _sum(items: Sequence[Priced], like: Floats) -> Floats:
    """Seconds of each bucket over collectives that follow one another."""
    return sum((item.bucket_s for item in items), np.zeros_like(like))
