"""Gradient sync: time and traffic of data parallelism, by strategy, system and overlap with compute."""

from core.calculators.gradient_sync.answer import Answer, Pass, PhaseAnswer
from core.calculators.gradient_sync.calculate import answer
from core.calculators.gradient_sync.efficiency import DEFINITIONS, efficiencies
from core.calculators.gradient_sync.interval import training_compute, usual_compute
from core.calculators.gradient_sync.scenario import USUAL_MFU, Scenario
from core.calculators.gradient_sync.timeline import Timeline, Track, exposed_by_fraction
from core.parallel.traffic import STRATEGIES, Volume, phases, wire_bytes

__all__ = [
    "DEFINITIONS",
    "STRATEGIES",
    "USUAL_MFU",
    "Answer",
    "Pass",
    "PhaseAnswer",
    "Scenario",
    "Timeline",
    "Track",
    "Volume",
    "answer",
    "efficiencies",
    "exposed_by_fraction",
    "phases",
    "training_compute",
    "usual_compute",
    "wire_bytes",
]
