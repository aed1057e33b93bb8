"""Prices of the phases: which ranks talk, over which wires, what one message and what the buckets cost."""

from dataclasses import dataclass

import numpy as np

from core.calculators.gradient_sync.answer import PhaseAnswer
from core.calculators.gradient_sync.scenario import Scenario
from core.calculators.gradient_sync.timeline import split_buckets
from core.checks import Floats
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import Sweep, sweep
from core.parallel.lane import lane
from core.parallel.traffic import REPLICA, Phase
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Priced:
    """A phase with its answer, the buckets of one pass and the seconds of each."""

    phase: Phase
    answer: PhaseAnswer
    sizes: Floats
    bucket_s: Floats
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]


def price(scenario: Scenario, phase: Phase) -> Priced:
    """One phase on the machine: the whole pass as one message, and the pass in buckets."""
    gradient = scenario.volume.gradient_bytes
    sizes = split_buckets(gradient, scenario.bucket)
    if gradient > 0:
        sizes = sizes * (phase.size_bytes / gradient)
    distinct, where = np.unique(sizes, return_inverse=True)
    seen = sweep(question(scenario, phase), np.append(distinct, phase.size_bytes))
    bucket_s = seen.time_s[:-1][where]
    answer = _answer(phase, seen, float(np.sum(bucket_s)))
    return Priced(phase, answer, sizes, bucket_s, seen.warnings, seen.sources)


def question(scenario: Scenario, phase: Phase) -> Collective:
    """The collective of a phase as the price list of collectives takes it."""
    system = lane(scenario.system, scenario.shard) if phase.group == REPLICA else scenario.system
    return Collective(
        system=system,
        collective=phase.collective,
        ranks=phase.ranks,
        rates=scenario.rates,
        algorithm=scenario.algorithm,
        implementation=scenario.implementation,
        launch=scenario.launch,
    )


def _answer(phase: Phase, seen: Sweep, bucketed_s: float) -> PhaseAnswer:
    """The last entry of the sweep is the whole pass."""

    def whole(column: Floats) -> float:
        return phase.times * float(column[-1])

    return PhaseAnswer(
        name=phase.name,
        collective=phase.collective,
        group=phase.group,
        ranks=phase.ranks,
        size_bytes=phase.size_bytes,
        times=phase.times,
        when=phase.when,
        wire_bytes=phase.wire_bytes,
        time_s=whole(seen.time_s),
        low_s=whole(seen.low_s),
        high_s=whole(seen.high_s),
        launch_s=whole(seen.launch_s),
        latency_s=whole(seen.latency_s),
        transfer_s=whole(seen.transfer_s),
        reduction_s=whole(seen.reduction_s),
        algorithm=str(seen.algorithms[-1]),
        rates=seen.rates,
        basis=seen.basis,
        bucketed_s=phase.times * bucketed_s,
    )
