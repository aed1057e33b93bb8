"""What one collective costs on one machine: the one door that prices communication."""

from core.collective.answer import Answer, RunnerUp, answer
from core.collective.calibrated import setting_of
from core.collective.flips import Flip
from core.collective.scenario import ALGORITHM_WORDS, Scenario
from core.collective.sweep import Sweep, applicable, compare, sweep

__all__ = [
    "ALGORITHM_WORDS",
    "Answer",
    "Flip",
    "RunnerUp",
    "Scenario",
    "Sweep",
    "answer",
    "applicable",
    "compare",
    "setting_of",
    "sweep",
]
