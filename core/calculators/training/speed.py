"""How fast a step of a layout is, without its memory and its words: for charts of many layouts."""

from dataclasses import dataclass

from core.calculators.training.scenario import Scenario
from core.calculators.training.step import step
from core.calculators.training.work import model_flop
from core.catalog import precision as format_of
from core.parallel.peaks import peak


@dataclass(frozen=True, slots=True)
class Speed:
    """
    A step and what follows from its length.

    Attributes:
        tokens_per_s_per_gpu: Tokens of the step over its time, per GPU.
        model_flop_per_s_per_gpu: Model FLOPs likewise.
        mfu: Those over the dense peak of the precision.
    """

    step_s: float
    tokens_per_s_per_gpu: float
    model_flop_per_s_per_gpu: float
    mfu: float


def speed(scenario: Scenario) -> Speed:
    """
    The speed of a job in its layout.

    Raises:
        InputError: One line that names the argument and what is allowed.
    """
    scenario.check()
    return speed_of(scenario, step(scenario).total_s)


def speed_of(scenario: Scenario, step_s: float) -> Speed:
    """The same where the step is known."""
    gpus = scenario.layout.gpus
    flop_per_s = model_flop(scenario) / step_s / gpus
    share = flop_per_s / peak(scenario.system.gpu, format_of(scenario.precision)).flop_per_s
    return Speed(step_s, scenario.tokens / step_s / gpus, flop_per_s, share)
