"""Training: the step of a whole layout, with its bubble, its exposed communication and its memory."""

from core.calculators.training.answer import Answer, Exposed
from core.calculators.training.calculate import answer
from core.calculators.training.calls import StepCalls, step_calls
from core.calculators.training.fit import fit
from core.calculators.training.memory import Memory, memory
from core.calculators.training.micro_batch import with_fastest_micro_batch
from core.calculators.training.neighbours import Neighbour, neighbours
from core.calculators.training.pass_times import PassTimes, pass_times
from core.calculators.training.scenario import Scenario
from core.calculators.training.speed import Speed, speed
from core.calculators.training.step import Step, step
from core.parallel.layout import Layout
from core.parallel.memory_fit import Fit, Verdict
from core.parallel.pipeline import bubble

__all__ = [
    "Answer",
    "Exposed",
    "Fit",
    "Layout",
    "Memory",
    "Neighbour",
    "PassTimes",
    "Scenario",
    "Speed",
    "Step",
    "StepCalls",
    "Verdict",
    "answer",
    "bubble",
    "fit",
    "memory",
    "neighbours",
    "pass_times",
    "speed",
    "step",
    "step_calls",
    "with_fastest_micro_batch",
]
