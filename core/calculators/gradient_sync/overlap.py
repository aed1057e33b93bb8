"""How much of the communication sticks out: nothing known, a stated share, or a timeline of buckets."""

from collections.abc import Sequence

import numpy as np

from core.calculators.gradient_sync.answer import Pass
from core.calculators.gradient_sync.price import Priced
from core.calculators.gradient_sync.scenario import Scenario
from core.calculators.gradient_sync.timeline import (
    exposed_by_fraction,
    gather_ahead,
    gather_and_reduce,
    reduce_behind,
)
from core.checks import Floats
from core.parallel.traffic import BACKWARD, FORWARD, UPDATE

NONE, FRACTION, BUCKETS = "none", "fraction", "buckets"


def mode(scenario: Scenario) -> str:
    """Which of the three answers a scenario asks for."""
    if scenario.overlap is not None:
        return FRACTION
    return NONE if scenario.compute is None else BUCKETS


def exposed(scenario: Scenario, priced: Sequence[Priced]) -> tuple[float, tuple[Pass, ...]]:
    """Exposed seconds of one optimizer step, and the timelines that say so in bucket mode."""
    comm_s = sum(item.answer.bucketed_s for item in priced)
    compute = scenario.compute
    if scenario.overlap is not None:
        backwards = max((item.phase.times for item in priced if item.phase.when == BACKWARD), default=1)
        behind_s = comm_s if compute is None else backwards * compute[1]
        return exposed_by_fraction(comm_s, behind_s, scenario.overlap), ()
    if compute is None or not priced:
        return comm_s, ()
    passes = _passes(scenario, priced, *compute)
    return min(comm_s, sum(item.exposed_s for item in passes)), passes


def _passes(
    scenario: Scenario, priced: Sequence[Priced], forward_s: float, backward_s: float
) -> tuple[Pass, ...]:
    """Timelines of one step: forward, backward of the micro-steps, and the next forward."""
    found = []
    for item in priced:
        if item.phase.when in (FORWARD, UPDATE):
            name = "forward" if item.phase.when == FORWARD else "next forward"
            line = gather_ahead(item.phase.name, forward_s, item.sizes, item.bucket_s)
            found.append(Pass(name, item.phase.times, line))
    backward = [item for item in priced if item.phase.when == BACKWARD]
    if len(backward) == 1:
        only = backward[0]
        line = reduce_behind(only.phase.name, backward_s, only.sizes, only.bucket_s)
        return (*found, Pass("backward", only.phase.times, line))
    return (*found, *_sharded_backward(backward, backward_s, scenario.accumulation))


def _sharded_backward(backward: Sequence[Priced], backward_s: float, steps: int) -> list[Pass]:
    """Micro-steps differ where a phase runs only in the last one: then that one has its own timeline."""
    gather, *reduces = backward
    always = [item for item in reduces if item.phase.times == steps]
    names = gather.phase.name, " + ".join(item.phase.name for item in reduces)
    last = gather_and_reduce(names, backward_s, gather.sizes, gather.bucket_s, _sum(reduces, gather.sizes))
    if len(always) == len(reduces):
        return [Pass("backward", steps, last)]
    plain_names = gather.phase.name, " + ".join(item.phase.name for item in always) or "nothing"
    plain = gather_and_reduce(
        plain_names, backward_s, gather.sizes, gather.bucket_s, _sum(always, gather.sizes)
    )
    return [Pass("backward", steps - 1, plain), Pass("last backward", 1, last)]


def _sum(items: Sequence[Priced], like: Floats) -> Floats:
    """Seconds of each bucket over several phases that follow one another."""
    return sum((item.bucket_s for item in items), np.zeros_like(like))
