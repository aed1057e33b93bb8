"""What one collective costs on one machine: the one door that prices communication."""

from core.collectives.pricing.answer import Answer, RunnerUp, answer
from core.collectives.pricing.calibrated import setting_of
from core.collectives.pricing.columns import PricedSizes
from core.collectives.pricing.placement import placement_of
from core.collectives.pricing.scenario import ALGORITHM_WORDS, Scenario
from core.collectives.pricing.sweep import Sweep, applicable, compare, sweep

__all__ = [
    "ALGORITHM_WORDS",
    "Answer",
    "Crossover",
    "PricedSizes",
    "RunnerUp",
    "Scenario",
    "Sweep",
    "answer",
    "applicable",
    "compare",
    "placement_of",
    "setting_of",
    "sweep",
]
