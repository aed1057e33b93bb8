"""Training: the step of a whole layout, with its bubble, its exposed communication and its memory."""

from core.training.answer import Answer, Exposed
from core.training.calculate import answer
from core.training.layout import Layout
from core.training.memory import Memory
from core.training.micro_batch import with_fastest_micro_batch
from core.training.neighbours import Neighbour, neighbours
from core.training.pipeline import bubble
from core.training.scenario import Scenario

__all__ = [
    "Answer",
    "Exposed",
    "Layout",
    "Memory",
    "Neighbour",
    "Scenario",
    "answer",
    "bubble",
    "neighbours",
    "with_fastest_micro_batch",
]
