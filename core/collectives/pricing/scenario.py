"""The question: a collective of so many bytes over so many GPUs of a system."""

from dataclasses import KW_ONLY, dataclass

from core.checks import choice, count, number
from core.collectives.formulas import COLLECTIVES
from core.collectives.question import ALGORITHM_WORDS, AUTO, CollectiveQuestion

__all__ = ["ALGORITHM_WORDS", "DTYPES", "NVLS", "Scenario"]

NVLS = (AUTO, "on", "off")
DTYPES = ("half", "bfloat16", "float", "double", "int8")


@dataclass(frozen=True)
class Scenario(CollectiveQuestion):
    """
    Everything that decides the time of one collective.

    Attributes:
        collective: As nccl-tests names it.
        ranks: GPUs that take part.
        size_bytes: As nccl-tests counts: all_reduce, broadcast, reduce, send_recv what a rank holds;
            all_gather the full output; reduce_scatter the full input; all_to_all what a rank sends.
        dtype: Type of the values that are reduced.
        nvls: Whether NCCL may let the switches of a domain add (NCCL_NVLS_ENABLE): ``on``, ``off``, or
            ``auto`` as such a system has it.
        per_domain: GPUs of each domain that take part; None fills the domains in order.
    """

    collective: str
    ranks: int
    size_bytes: float = 0
    _: KW_ONLY
    dtype: str = "half"
    per_domain: int | None = None
    nvls: str = AUTO

    def __post_init__(self) -> None:
        """Refuse what no machine could be asked; raises InputError naming the argument."""
        choice("collective", self.collective, COLLECTIVES)
        CollectiveQuestion.__post_init__(self)
        choice("dtype", self.dtype, DTYPES)
        choice("nvls", self.nvls, NVLS)
        count("ranks", self.ranks)
        number("size_bytes", self.size_bytes, least=0)
        if self.per_domain is not None:
            count("per_domain", self.per_domain, most=self.system.domain_gpus)
