"""The MFU of compute where a job states none, and the interval of MFU over frameworks."""

from core.calculators.gradient_sync.answer import Answer
from core.calculators.gradient_sync.scenario import Scenario
from core.catalog.calibrations.training import GemmEfficiency

USUAL_MFU = 0.4
"""Share of the dense BF16 peak where the job states no efficiency: published runs on H100 reach 38 to 43."""


def mfu_interval(scenario: Scenario, answer: Answer, span: GemmEfficiency) -> tuple[float, float] | None:
    """
    MFU of the step at the slowest and the fastest published framework.

    Compute and the wait for stragglers follow the GEMM efficiency of the GPU over frameworks (``span``);
    exposed communication stays as it is. None without a step, or where the backward time is stated.
    """
    if answer.mfu is None or not answer.step_s or scenario.backward_s is not None:
        return None
    fixed_s = answer.exposed_s + scenario.other_s
    compute_s = answer.step_s - fixed_s
    slow_s, fast_s = (compute_s * span.usual / share + fixed_s for share in (span.low, span.high))
    return answer.mfu * answer.step_s / slow_s, answer.mfu * answer.step_s / fast_s
