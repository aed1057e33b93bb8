"""The same job on more and more GPUs: the fastest layout at each size of the cluster."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.calculators.layouts.training_ranking import RankedLayout, fastest
from core.calculators.training import Scenario
from core.checks import InputError


@dataclass(frozen=True, slots=True)
class BestLayout:
    """The fastest layout on ``gpus`` GPUs, or the reason why there is none."""

    gpus: int
    best: RankedLayout | None
    tokens_per_s_per_gpu: float
    reason: str = ""


def best_by_gpus(scenario: Scenario, counts: Iterable[int]) -> tuple[BestLayout, ...]:
    """The fastest layout for each number of GPUs at the same global batch size (strong scaling)."""
    return tuple(_best(scenario, gpus) for gpus in counts)


def _best(scenario: Scenario, gpus: int) -> BestLayout:
    try:
        best = fastest(scenario, gpus)
    except InputError as problem:
        return BestLayout(gpus, None, 0.0, str(problem))
    return BestLayout(gpus, best, scenario.tokens / best.step_s / gpus)
