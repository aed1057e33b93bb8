"""Candidate layouts: every one that divides model and cluster, within limits of common practice."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.calculators.training import Layout, Scenario, memory
from core.checks import InputError
from core.parallel.layout import check
from core.workload import Model

MICRO_BATCHES = (1, 2, 4)
RECOMPUTE = ("none", "selective", "full")
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


def candidates(scenario: Scenario, gpus: int, limits: Limits | None = None) -> list[Scenario]:
    """
    Scenarios that fit in memory, each with the least activation recomputation that fits.

    Every layout with and without virtual stages, with every micro-batch that divides the global
    batch, and dense models without a pipeline with sharded parameters too.
    """
    options = (_least_recompute(candidate) for candidate in possible(scenario, gpus, limits))
    return [option for option in options if option is not None]


def possible(scenario: Scenario, gpus: int, limits: Limits | None = None) -> Iterator[Scenario]:
    """The same, whether they fit in memory or not, without activation recomputation."""
    model, system = scenario.model, scenario.system
    bounds = limits or Limits(most_tp=min(system.domain_gpus * MOST_DOMAINS_FOR_TP, MOST_TP))
    for layout in layouts(model, gpus, scenario.seq, bounds):
        for micro in MICRO_BATCHES:
            if scenario.global_batch % (micro * layout.dp):
                continue
            for vpp in _virtual_stages(model.layers, layout.pp):
                for strategy in _strategies(scenario, layout):
                    interleaved = replace(layout, vpp=vpp)
                    yield replace(scenario, layout=interleaved, micro_batch=micro, strategy=strategy)


def _strategies(scenario: Scenario, layout: Layout) -> tuple[str, ...]:
    """The scenario's own strategy, and sharded parameters where they are usual."""
    usual = layout.pp > 1 or layout.dp == 1 or scenario.model.moe or scenario.strategy == SHARDED
    return (scenario.strategy,) if usual else (scenario.strategy, SHARDED)


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


def _least_recompute(scenario: Scenario) -> Scenario | None:
    """The scenario with the least activation recomputation that fits; None where none does."""
    try:
        check(scenario.layout, scenario.model)
    except InputError:
        return None
    for name in RECOMPUTE:
        candidate = replace(scenario, recompute=name)
        if memory(candidate).fits:
            return candidate
    return None
