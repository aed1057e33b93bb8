"""What is different: another machine, other groups, other buckets, other compute, other prices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from core.checks import InputError, count, number
from core.collectives.question import FabricQuestion
from core.job.parallelism import Parallelism

NO_GROUPS: Mapping[str, int] = MappingProxyType({})
CHANGEABLE = tuple(str(kind) for kind in Parallelism if kind is not Parallelism.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """
    What is different.

    Attributes:
        here: System, rates and software of the trace; None takes a line through the trace's own calls,
            which knows other ranks and buckets, but no other system.
        there: The same of the other machine; None keeps ``here``.
        compute_factor: Time of compute there over here; None takes the roofline of both GPUs.
        ranks: New size of groups by parallelism (``{"DP": 16}``).
        bucket_bytes: New size of gradient buckets; None keeps the trace's.
        usd_per_gpu_hour, usd_per_gpu_hour_there: Prices of a GPU-hour; None asks for no dollars.
    """

    here: FabricQuestion | None = None
    there: FabricQuestion | None = None
    compute_factor: float | None = None
    ranks: Mapping[str, int] = field(default_factory=lambda: NO_GROUPS)
    bucket_bytes: float | None = None
    usd_per_gpu_hour: float | None = None
    usd_per_gpu_hour_there: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be; raises InputError naming the argument."""
        if self.compute_factor is not None:
            number("compute_factor", self.compute_factor, above=0, most=1e6)
        if self.bucket_bytes is not None:
            number("bucket_bytes", self.bucket_bytes, least=1)
        for name, ranks in self.ranks.items():
            if name not in CHANGEABLE:
                message = f"ranks: {name!r} is no parallelism; one of TP, PP, DP, EP, CP"
                raise InputError(message)
            count(f"ranks of {name}", ranks, most=10**7)
        if self.there is not None and self.here is None:
            message = "system: name the system of the trace before another one"
            raise InputError(message)
        for name in ("usd_per_gpu_hour", "usd_per_gpu_hour_there"):
            if getattr(self, name) is not None:
                number(name, getattr(self, name), least=0)
