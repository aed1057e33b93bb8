"""The micro-batch size where none is given: the fastest that fits."""

from collections.abc import Iterator
from dataclasses import replace

from core.calculators.training.memory import memory
from core.calculators.training.scenario import Scenario
from core.calculators.training.step import step

SIZES = (1, 2, 4, 8, 16)


def with_fastest_micro_batch(scenario: Scenario) -> Scenario:
    """
    The scenario with the micro-batch of ``SIZES`` whose step is shortest among those that fit.

    Larger ones use a GPU better and leave a pipeline fewer to overlap. Where none fits it is one
    sequence, and the answer says that memory does not suffice.

    Raises:
        InputError: The scenario is impossible with one sequence too.
    """
    smallest = replace(scenario, micro_batch=1)
    smallest.check()
    return min(_fitting(smallest), key=lambda candidate: step(candidate).total_s, default=smallest)


def _fitting(scenario: Scenario) -> Iterator[Scenario]:
    sequences = scenario.global_batch // scenario.layout.dp
    for size in SIZES:
        candidate = replace(scenario, micro_batch=size)
        if sequences % size == 0 and memory(candidate).fits:
            yield candidate
