"""Compute of one micro-batch on one GPU, forward and backward: what gradient synchronization hides behind."""

from dataclasses import dataclass

from core.calculators.training.compute import compute
from core.calculators.training.scenario import Scenario
from core.calculators.training.step import pacing_stage
from core.catalog.calibrations.training import BACKWARD_OVER_FORWARD

HEAD_FORWARD = 1 / (1 + BACKWARD_OVER_FORWARD)
"""Share of the output head's time that is forward."""


@dataclass(frozen=True, slots=True)
class PassTimes:
    """Seconds of compute of one micro-batch in the slowest pipeline stage, without any communication."""

    forward_s: float
    backward_s: float


def pass_times(scenario: Scenario) -> PassTimes:
    """
    Forward and backward of one micro-batch; activation recomputation and accumulation count as backward.

    Raises:
        InputError: One line that names the argument and what is allowed.
    """
    scenario.check()
    gpu = compute(scenario)
    stage = pacing_stage(scenario, gpu)
    head_s = gpu.head_s if stage.head else 0.0
    return PassTimes(
        stage.layers * gpu.layer_forward_s + HEAD_FORWARD * head_s,
        stage.layers * gpu.layer_backward_s + (1 - HEAD_FORWARD) * head_s,
    )
