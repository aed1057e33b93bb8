"""What one collective costs on one machine: the one door that prices communication."""

from core.collectives.pricing.answer import Answer, RunnerUp, answer
from core.collectives.pricing.calibrated import setting_of
from core.collectives.pricing.flips import Flip
from core.collectives.pricing.scenario import ALGORITHM_WORDS, Scenario
from core.collectives.pricing.sweep import Sweep, applicable, compare, sweep

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
