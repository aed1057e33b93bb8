"""Layouts worth asking: what divides model and cluster, and what nobody would run left out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.calculators.training import Layout, Scenario
from core.calculators.training.memory import memory
from core.checks import InputError
from core.parallel.layout import check
from core.workload import Model

MICRO_BATCHES = (1, 2, 4)
RECOMPUTE = ("none", "selective", "full")
MOST_CP = 16
LEAST_CP_TOKENS = 2048
SHARDED = "fsdp"
"""Dense models without a pipeline may shard parameters too: it takes less memory and sends more."""
"""Tokens of a sequence that each context-parallel GPU keeps at least."""
MOST_DOMAINS_FOR_TP = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the search, all chosen by the asker or from the machine."""

    most_tp: int
    most_pp: int = 128


def divisors(number: int, most: int) -> list[int]:
    """Divisors up to ``most``, ascending."""
    return [n for n in range(1, min(number, most) + 1) if number % n == 0]


def powers(most: int) -> list[int]:
    """1, 2, 4 ... up to ``most``."""
    return [2**n for n in range(most.bit_length()) if 2**n <= most]


def layouts(model: Model, gpus: int, seq: int, limits: Limits) -> Iterator[Layout]:
    """Every TP x PP x CP x DP x EP layout of ``gpus`` GPUs within the limits, one piece a stage."""
    heads, experts = model.heads or 1, model.experts or 1
    for tp in divisors(heads, limits.most_tp):
        for pp in (n for n in range(1, min(model.layers, limits.most_pp) + 1) if _even(model.layers, n)):
            for cp in powers(min(MOST_CP, max(1, seq // LEAST_CP_TOKENS))):
                each = tp * pp * cp
                if gpus % each or each > gpus:
                    continue
                dp = gpus // each
                for ep in divisors(experts, tp * cp * dp) if experts > 1 else (1,):
                    if (tp * cp * dp) % ep == 0 and (ep == 1 or ep >= tp):
                        yield Layout(tp=tp, pp=pp, dp=dp, cp=cp, ep=ep)


def candidates(scenario: Scenario, gpus: int, limits: Limits | None = None) -> list[Scenario]:
    """
    Scenarios that fit in memory, the least recomputation that fits each.

    Every layout with one piece a stage and with several, with every micro-batch that divides the
    batch, and dense models without a pipeline with sharded parameters too.
    """
    return [
        fitting for asked in possible(scenario, gpus, limits) if (fitting := _lightest(asked)) is not None
    ]


def possible(scenario: Scenario, gpus: int, limits: Limits | None = None) -> Iterator[Scenario]:
    """The same, whether they fit in memory or not, without recomputation."""
    model, system = scenario.model, scenario.system
    bounds = limits or Limits(most_tp=min(system.domain_gpus * MOST_DOMAINS_FOR_TP, 64))
    for layout in layouts(model, gpus, scenario.seq, bounds):
        for micro in MICRO_BATCHES:
            if scenario.global_batch % (micro * layout.dp):
                continue
            for pieces in _pieces(model.layers, layout.pp):
                for strategy in _strategies(scenario, layout):
                    yield replace(
                        scenario, layout=replace(layout, vpp=pieces), micro_batch=micro, strategy=strategy
                    )


def _strategies(scenario: Scenario, layout: Layout) -> tuple[str, ...]:
    """The scenario's own way of keeping states, and sharded parameters where that is done."""
    alone = layout.pp > 1 or layout.dp == 1 or scenario.model.moe or scenario.strategy == SHARDED
    return (scenario.strategy,) if alone else (scenario.strategy, SHARDED)


def _even(layers: int, stages: int) -> bool:
    """Layers, or layers with the two ends counted, spread evenly over the stages."""
    return layers % stages == 0 or (layers + 2) % stages == 0


def _pieces(layers: int, pp: int) -> list[int]:
    """One piece a stage, and as many as leave a piece at least a layer, or an end of the model."""
    if pp == 1:
        return [1]
    whole = layers if layers % pp == 0 else layers + 2
    each = whole // pp
    several = [n for n in divisors(each, 8) if n > 1]
    return [1, *several[-1:]]


def _lightest(scenario: Scenario) -> Scenario | None:
    """The scenario with the least recomputation that fits; None where none does."""
    try:
        check(scenario.layout, scenario.model)
    except InputError:
        return None
    for name in RECOMPUTE:
        asked = replace(scenario, recompute=name)
        if memory(asked).fits:
            return asked
    return None
