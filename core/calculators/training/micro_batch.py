"""The micro-batch that nobody stated: the fastest one that fits, as whoever tunes a job would take."""

from collections.abc import Iterator
from dataclasses import replace

from core.calculators.training.memory import memory
from core.calculators.training.scenario import Scenario
from core.calculators.training.step import step

SIZES = (1, 2, 4, 8, 16)


def with_fastest_micro_batch(scenario: Scenario) -> Scenario:
    """
    The scenario with the micro-batch of ``SIZES`` whose step is shortest among those that fit.

    Larger ones fill a GPU better and leave a pipeline fewer to overlap. Where none fits it is one
    sequence, and the answer says that memory does not suffice.

    Raises:
        InputError: The scenario cannot be asked with one sequence either.
    """
    one = replace(scenario, micro_batch=1)
    one.check()
    return min(_fitting(one), key=lambda asked: step(asked).total_s, default=one)


def _fitting(one: Scenario) -> Iterator[Scenario]:
    sequences = one.global_batch // one.layout.dp
    for size in SIZES:
        asked = replace(one, micro_batch=size)
        if sequences % size == 0 and memory(asked).fits:
            yield asked
