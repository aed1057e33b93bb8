"""Time of each collective of the step: its ranks, its links, as one message and in buckets."""

from dataclasses import dataclass

import numpy as np

from core.calculators.gradient_sync.answer import PhaseAnswer
from core.calculators.gradient_sync.scenario import Scenario
from core.calculators.gradient_sync.timeline import split_buckets
from core.checks import Floats
from core.collectives.formulas.columns import FIGURES
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import Sweep, sweep
from core.parallel.groups import group_view
from core.parallel.traffic import REPLICA, Phase
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Priced:
    """A collective of the step with its answer, the buckets of one pass in bytes and the seconds of each."""

    phase: Phase
    answer: PhaseAnswer
    sizes: Floats
    bucket_s: Floats
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]


def price(scenario: Scenario, phase: Phase) -> Priced:
    """
    One collective on the system: a pass over the model as one message, and in buckets.

    Buckets of a stated size are messages of their own. Those of the default follow one another closely
    enough to take the time of the whole, as the training step has it: published losses of scaling are
    nearer to that.
    """
    gradient = scenario.volume.gradient_bytes
    sizes = split_buckets(gradient, scenario.bucket)
    if gradient > 0:
        sizes = sizes * (phase.size_bytes / gradient)
    distinct, index = np.unique(sizes, return_inverse=True)
    prices = sweep(question(scenario, phase), np.append(distinct, phase.size_bytes))
    bucket_s = prices.time_s[:-1][index]
    if scenario.bucket_bytes is None and phase.size_bytes > 0:
        bucket_s = prices.time_s[-1] * sizes / phase.size_bytes
    answer = _answer(phase, prices, float(np.sum(bucket_s)))
    return Priced(phase, answer, sizes, bucket_s, prices.warnings, prices.sources)


def question(scenario: Scenario, phase: Phase) -> Collective:
    """The collective as ``core.collectives.pricing`` takes it; HSDP's replica groups share the NICs."""
    system = group_view(scenario.system, scenario.shard) if phase.group == REPLICA else scenario.system
    return Collective(
        system=system,
        collective=phase.collective,
        ranks=phase.ranks,
        rates=scenario.rates,
        algorithm=scenario.algorithm,
        implementation=scenario.implementation,
        launch=scenario.launch,
    )


def _answer(phase: Phase, prices: Sweep, bucketed_s: float) -> PhaseAnswer:
    """The last size of the sweep is the whole pass; the bytes are those of ring collectives."""
    figures = {name: phase.times * float(getattr(prices, name)[-1]) for name in FIGURES}
    return PhaseAnswer(
        phase=phase,
        **(figures | {"wire_bytes": phase.wire_bytes}),
        algorithm=str(prices.algorithms[-1]),
        rates=prices.rates,
        basis=prices.basis,
        bucketed_s=phase.times * bucketed_s,
    )
