"""Candidate layouts: every one that divides model and cluster, within limits of common practice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from core.calculators.question import RECOMPUTE
from core.calculators.training import Layout, Scenario, memory
from core.calculators.training.columns import Columns, columns, in_layout
from core.calculators.training.memory_saving import recomputing
from core.workload import Model

MICRO_BATCHES = (1, 2, 4)
MOST_CP = 16
LEAST_CP_TOKENS = 2048
"""Least sequence length on each context-parallel GPU."""
SHARDED = "fsdp"
"""Strategy that dense models without a pipeline may use too: less memory and more traffic."""
MOST_DOMAINS_FOR_TP = 2
MOST_TP = 64
MOST_VPP = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """The widest TP and PP of the search."""

    most_tp: int
    most_pp: int = 128


def divisors(number: int, most: int) -> list[int]:
    """Divisors of a number up to ``most``, ascending."""
    return [n for n in range(1, min(number, most) + 1) if number % n == 0]


def powers(most: int) -> list[int]:
    """Powers of two up to ``most``, ascending."""
    return [2**n for n in range(most.bit_length()) if 2**n <= most]


def layouts(model: Model, gpus: int, seq: int, limits: Limits) -> Iterator[Layout]:
    """Every TP x PP x CP x DP x EP layout of ``gpus`` GPUs within the limits, without virtual stages."""
    heads, experts = model.heads or 1, model.experts or 1
    for tp in divisors(heads, limits.most_tp):
        for pp in (
            n for n in range(1, min(model.layers, limits.most_pp) + 1) if _divides_evenly(model.layers, n)
        ):
            for cp in powers(min(MOST_CP, max(1, seq // LEAST_CP_TOKENS))):
                replica_gpus = tp * pp * cp
                if gpus % replica_gpus or replica_gpus > gpus:
                    continue
                dp = gpus // replica_gpus
                for ep in divisors(experts, tp * cp * dp) if experts > 1 else (1,):
                    if (tp * cp * dp) % ep == 0 and (ep == 1 or ep >= tp):
                        yield Layout(tp=tp, pp=pp, dp=dp, cp=cp, ep=ep)


@dataclass(frozen=True, slots=True)
class Option:
    """A layout with its micro-batch and data-parallel strategy."""

    layout: Layout
    micro_batch: int
    strategy: str


def candidates(scenario: Scenario, gpus: int, limits: Limits | None = None) -> list[Scenario]:
    """
    Scenarios that fit in memory, each with the least activation recomputation that fits.

    Every layout with and without virtual stages, with every micro-batch that divides the global
    batch, and dense models without a pipeline with sharded parameters too.
    """
    groups = alike_options(scenario, gpus, limits)
    return [found for group in groups.values() for found in _fitting(scenario, group)]


def alike_options(
    scenario: Scenario, gpus: int, limits: Limits | None = None
) -> dict[tuple[str, int], list[Option]]:
    """Every layout with every micro-batch and strategy that may be tried, by strategy and EP degree."""
    alike: dict[tuple[str, int], list[Option]] = {}
    for option in options(scenario, gpus, limits):
        alike.setdefault((option.strategy, option.layout.ep), []).append(option)
    return alike


def possible(scenario: Scenario, gpus: int, limits: Limits | None = None) -> Iterator[Scenario]:
    """The same, whether they fit in memory or not, without activation recomputation."""
    for option in options(scenario, gpus, limits):
        yield _scenario(scenario, option, scenario.recompute)


def options(scenario: Scenario, gpus: int, limits: Limits | None = None) -> Iterator[Option]:
    """Every layout with every micro-batch and strategy that may be tried."""
    model, system = scenario.model, scenario.system
    bounds = limits or Limits(most_tp=min(system.domain_gpus * MOST_DOMAINS_FOR_TP, MOST_TP))
    for dp, variants in _variants(model, gpus, scenario.seq, bounds, scenario.strategy):
        sizes = [size for size in MICRO_BATCHES if scenario.global_batch % (size * dp) == 0]
        for micro, (staged, strategy) in product(sizes, variants):
            yield Option(staged, micro, strategy)


@lru_cache(maxsize=32)
def _variants(
    model: Model, gpus: int, seq: int, bounds: Limits, strategy: str
) -> tuple[tuple[int, tuple[tuple[Layout, str], ...]], ...]:
    """The DP degree of every layout, and the layout with each number of virtual stages and strategy."""
    return tuple(
        (
            layout.dp,
            tuple(
                (layout if vpp == 1 else replace(layout, vpp=vpp), name)
                for vpp in _virtual_stages(model.layers, layout.pp)
                for name in _strategies(model, strategy, layout)
            ),
        )
        for layout in layouts(model, gpus, seq, bounds)
    )


def least_recompute(job: Scenario, side_by_side: Columns, count: int) -> NDArray[np.intp]:
    """The place in ``RECOMPUTE`` of the least with which each of so many fits; behind the last where none."""
    least = np.full(count, len(RECOMPUTE))
    for place in reversed(range(len(RECOMPUTE))):
        usage = memory(replace(side_by_side, **recomputing(job, RECOMPUTE[place])))
        least[np.asarray(usage.fits)] = place
    return least


def _fitting(scenario: Scenario, alike: Sequence[Option]) -> Iterator[Scenario]:
    """Options of one strategy and EP degree that fit in memory, with the least recomputation that does."""
    job = replace(scenario, **scenario.by_strategy(alike[0].strategy))
    side_by_side = columns(job, [option.layout for option in alike], [option.micro_batch for option in alike])
    least = least_recompute(job, side_by_side, len(alike))
    for option, place in zip(alike, least.tolist(), strict=True):
        if place < len(RECOMPUTE):
            yield _scenario(scenario, option, RECOMPUTE[place])


def _scenario(job: Scenario, option: Option, recompute: str) -> Scenario:
    return in_layout(job, option.layout, option.micro_batch, option.strategy, recompute)


def _strategies(model: Model, strategy: str, layout: Layout) -> tuple[str, ...]:
    """The job's own strategy, and sharded parameters where they are usual."""
    usual = layout.pp > 1 or layout.dp == 1 or model.moe or strategy == SHARDED
    return (strategy,) if usual else (strategy, SHARDED)


def _divides_evenly(layers: int, stages: int) -> bool:
    """Whether layers, or layers with the embedding and the head as two more, divide over the stages."""
    return layers % stages == 0 or (layers + 2) % stages == 0


def _virtual_stages(layers: int, pp: int) -> list[int]:
    """No interleaving, and as many virtual stages as leave each a layer, the embedding or the head."""
    if pp == 1:
        return [1]
    slots = layers if layers % pp == 0 else layers + 2
    interleaved = [n for n in divisors(slots // pp, MOST_VPP) if n > 1]
    return [1, *interleaved[-1:]]
