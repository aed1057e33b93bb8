"""How fast is each level, from on-chip memory to the network, and what does a copy of so many bytes cost?"""

from core.calculators.bandwidth_hierarchy.answer import Answer, answer
from core.calculators.bandwidth_hierarchy.ceilings import Ceiling, ladder
from core.calculators.bandwidth_hierarchy.gpudirect import Path, paths
from core.calculators.bandwidth_hierarchy.levels import Level
from core.calculators.bandwidth_hierarchy.offload import Copy, offload
from core.calculators.bandwidth_hierarchy.scenario import DIRECTIONS, TIERS, Scenario

__all__ = [
    "DIRECTIONS",
    "TIERS",
    "Answer",
    "Ceiling",
    "Copy",
    "Level",
    "Path",
    "Scenario",
    "answer",
    "ladder",
    "offload",
    "paths",
]
