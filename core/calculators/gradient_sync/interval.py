"""The prediction interval of a step with gradient synchronization."""

from dataclasses import dataclass

from core.calculators.cost.exposed import exposed_interval
from core.calculators.gradient_sync.micro_batch import MicroBatch
from core.calculators.gradient_sync.scenario import Scenario
from core.catalog.calibrations.training import ANY_BAND


@dataclass(frozen=True, slots=True)
class Ends:
    """Low and high ends of exposed communication and of the step, in seconds; None where no step is known."""

    exposed_low_s: float | None = None
    exposed_high_s: float | None = None
    step_low_s: float | None = None
    step_high_s: float | None = None


def ends(scenario: Scenario, step_s: float | None, exposed_s: float, comm_s: float) -> Ends:
    """
    Ends of the exposed communication of a step and of the step.

    Exposed communication has the interval that published losses of scaling leave, none where ``comm_s`` is
    zero. Compute has that of the
    training calculator where it is priced there, that of an unknown framework at the usual MFU, and none
    where its time or MFU is stated.
    """
    if not step_s:
        return Ends()
    low, high = exposed_interval(exposed_s / step_s, communicates=comm_s > 0)
    fixed_s = exposed_s + scenario.other_s
    slower = 1 + _half_width(scenario)
    compute_s = step_s - fixed_s
    low_s, high_s = low * step_s, high * step_s
    return Ends(
        exposed_low_s=low_s,
        exposed_high_s=high_s,
        step_low_s=compute_s / slower + low_s + scenario.other_s,
        step_high_s=compute_s * slower + high_s + scenario.other_s,
    )


def usual_compute(scenario: Scenario) -> bool:
    """Whether compute runs at the usual MFU, which nobody stated for the job."""
    return scenario.backward_s is None and not scenario.mfu_stated


def training_compute(scenario: Scenario) -> MicroBatch | None:
    """The compute as the training calculator prices it, where that is the one that counts."""
    return scenario.compute_of if scenario.backward_s is None and scenario.mfu is None else None


def slows_compute(scenario: Scenario) -> bool:
    """Whether compute is that of a pass alone, which communication beside it slows: priced, or timed."""
    timed = scenario.backward_s is not None and scenario.overlap is None
    return timed or training_compute(scenario) is not None


def _half_width(scenario: Scenario) -> float:
    work = training_compute(scenario)
    if work is not None:
        return work.half_width
    return ANY_BAND if usual_compute(scenario) else 0.0
