"""The question that everything which prices communication shares: a system, its rates and its software."""

from dataclasses import KW_ONLY, dataclass, field
from functools import lru_cache

from core.checks import choice
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.formulas import ALGORITHMS
from core.collectives.rates import Rates
from core.hardware import System

AUTO = "auto"
ALGORITHM_WORDS = (AUTO, *dict.fromkeys(item.word for item in ALGORITHMS.values()))
"""Names of algorithms; which of them apply depends on collective and system."""


@dataclass(frozen=True, kw_only=True)
class Software:
    """
    The library that communicates and how its kernels are launched.

    Without slots, so that a scenario can inherit it beside another record.

    Attributes:
        implementation: ``nccl``, ``rccl`` or the kernels of a serving engine.
        launch: ``stream``, or ``graph`` for CUDA graphs.
    """

    implementation: str = "nccl"
    launch: str = "stream"

    def __post_init__(self) -> None:
        """Refuse a library or a launch that is not modelled; raises InputError naming the argument."""
        choice("implementation", self.implementation, IMPLEMENTATIONS)
        choice("launch", self.launch, LAUNCHES)

    @property
    def software(self) -> "Software":
        """Library and launch alone."""
        return _software(self.implementation, self.launch)


@lru_cache(maxsize=64)
def _software(implementation: str, launch: str) -> Software:
    """Made once: searches ask thousands of times."""
    return Software(implementation=implementation, launch=launch)


@dataclass(frozen=True)
class SystemQuestion:
    """
    What is asked of a system at rates of one origin.

    Attributes:
        system: GPUs, domains and network.
        rates: Published, datasheet, calibrated or fitted, with the latencies and rates that replace them.
    """

    system: System
    _: KW_ONLY
    rates: Rates = field(default_factory=Rates)


@dataclass(frozen=True)
class FabricQuestion(SystemQuestion, Software):
    """What is asked of a system whose GPUs communicate by some software."""


@dataclass(frozen=True)
class CollectiveQuestion(FabricQuestion):
    """
    What is asked of one kind of collective.

    Attributes:
        algorithm: ``auto`` takes the cheapest that the implementation has.
    """

    _: KW_ONLY
    algorithm: str = AUTO

    def __post_init__(self) -> None:
        """Refuse an algorithm that no library has; raises InputError naming the argument."""
        Software.__post_init__(self)
        choice("algorithm", self.algorithm, ALGORITHM_WORDS)
