"""Waiting for the slowest rank: the median of the maximum over all ranks."""

from core.calculators.training import constants
from core.calculators.training.scenario import Scenario
from core.parallel.stragglers import wait_s

LAYERED = ("zero3", "fsdp", "hsdp")
"""Strategies whose ranks meet in every layer, to gather its parameters."""
BOARD_GPUS = 8
"""Most machines that the efficiency constants come from have as many."""


def slowest_s(scenario: Scenario, compute_s: float) -> float:
    """
    Median seconds of a step in which data-parallel ranks wait for the slowest of all GPUs.

    Counted from one board on, whose own waiting the efficiency constant holds. Where ranks meet in
    every layer each meeting waits anew, so that the layers' deviation counts and not the step's.
    """
    if scenario.layout.data.size == 1:
        return 0.0
    spread = constants.LAYER_JITTER if scenario.strategy in LAYERED else constants.STEP_JITTER
    whole = wait_s(compute_s, spread, scenario.layout.gpus)
    return max(0.0, whole - wait_s(compute_s, spread, BOARD_GPUS))
