"""What one collective costs on one system: the one door that prices communication."""

from core.collectives.pricing.answer import Answer, RunnerUp, answer
from core.collectives.pricing.answered import answered
from core.collectives.pricing.calibrated import setting_of
from core.collectives.pricing.columns import PricedSizes, Sweep
from core.collectives.pricing.crossovers import Crossover
from core.collectives.pricing.scenario import ALGORITHM_WORDS, Scenario
from core.collectives.pricing.sweep import applicable, compare, sweep

__all__ = [
    "ALGORITHM_WORDS",
    "Answer",
    "Crossover",
    "PricedSizes",
    "RunnerUp",
    "Scenario",
    "Sweep",
    "answer",
    "answered",
    "applicable",
    "compare",
    "setting_of",
    "sweep",
]
