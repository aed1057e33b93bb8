"""How fast is each level, from on-chip memory to the network, and what does a copy of so many bytes cost?"""

from core.bandwidth_hierarchy.answer import Answer, answer
from core.bandwidth_hierarchy.ceilings import Ceiling, ladder
from core.bandwidth_hierarchy.gpudirect import Path, paths
from core.bandwidth_hierarchy.levels import Level
from core.bandwidth_hierarchy.offload import Copy, offload
from core.bandwidth_hierarchy.scenario import DIRECTIONS, TIERS, Scenario

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
