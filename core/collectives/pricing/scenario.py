"""The question: a collective of so many bytes over so many GPUs of a machine."""

from dataclasses import dataclass, field

from core.checks import choice, count, number
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.formulas import ALGORITHMS, COLLECTIVES
from core.collectives.rates import Rates
from core.hardware import System

ALGORITHM_WORDS = ("auto", *dict.fromkeys(item.word for item in ALGORITHMS.values()))
"""What may be asked for; which of them apply depends on collective and machine."""

DTYPES = ("half", "bfloat16", "float", "double", "int8")


@dataclass(frozen=True, slots=True)
class Scenario:
    """
    Everything that decides the time of one collective.

    Attributes:
        size_bytes: As nccl-tests counts: all_reduce, broadcast, reduce, send_recv what a rank holds;
            all_gather the full output; reduce_scatter the full input; all_to_all what a rank sends.
        algorithm: ``auto`` takes the cheapest that the implementation has.
        per_domain: GPUs of each domain that take part; None fills the domains in order.
    """

    system: System
    collective: str
    ranks: int
    size_bytes: float = 0
    rates: Rates = field(default_factory=Rates)
    algorithm: str = "auto"
    implementation: str = "nccl"
    launch: str = "stream"
    dtype: str = "half"
    per_domain: int | None = None


def check(scenario: Scenario) -> None:
    """Refuse what no machine could be asked; raises InputError naming the argument."""
    choice("collective", scenario.collective, COLLECTIVES)
    choice("algorithm", scenario.algorithm, ALGORITHM_WORDS)
    choice("implementation", scenario.implementation, IMPLEMENTATIONS)
    choice("launch", scenario.launch, LAUNCHES)
    choice("dtype", scenario.dtype, DTYPES)
    count("ranks", scenario.ranks)
    number("size_bytes", scenario.size_bytes, least=0)
    if scenario.per_domain is not None:
        count("per_domain", scenario.per_domain, most=scenario.system.domain_gpus)
