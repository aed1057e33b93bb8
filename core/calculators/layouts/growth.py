"""The same job on more and more GPUs: which layout wins at each size of the cluster."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.calculators.layouts.train import Ranked, rank
from core.calculators.training import Scenario
from core.checks import InputError


@dataclass(frozen=True, slots=True)
class Grown:
    """The winner on ``gpus`` GPUs, or in one line why there is none."""

    gpus: int
    best: Ranked | None
    tokens_per_s_per_gpu: float
    reason: str = ""


def winners(scenario: Scenario, counts: Iterable[int]) -> tuple[Grown, ...]:
    """The winner for each number of GPUs; the batch stays the same."""
    return tuple(_grown(scenario, gpus) for gpus in counts)


def _grown(scenario: Scenario, gpus: int) -> Grown:
    try:
        best = rank(scenario, gpus).ranked[0]
    except InputError as problem:
        return Grown(gpus, None, 0.0, str(problem))
    return Grown(gpus, best, scenario.tokens / best.step_s / gpus)
