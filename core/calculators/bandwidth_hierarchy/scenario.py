"""The question: a system, a number of bytes, and how rates are shown."""

from dataclasses import KW_ONLY, dataclass, field

from core.calculators.question import FromQuestion
from core.checks import InputError, choice, number, optional_number
from core.collectives.question import SystemQuestion
from core.collectives.rates import Rates
from core.provenance import Origin

TIERS = ("raw", "nominal", "effective", "measured")
"""On the wire with line code; as printed; after line code and headers; what somebody measured."""

BOTH_WAYS = "both-ways"
DIRECTIONS = ("one-way", BOTH_WAYS)
LEVEL_NAMES = ("L2", "memory", "scale-up", "scale-up pair", "host", "network", "network spine")


@dataclass(frozen=True)
class Scenario(SystemQuestion, FromQuestion):
    """
    What the bandwidth hierarchy of one system is asked.

    ``published`` rates count both directions of a copy and no latency, as the sources do; a latency or
    rate given there replaces that of every link.

    Attributes:
        size_bytes: A copy in one direction.
        direction: How rates are shown; a copy's time always counts the way it moves.
        tier: Which of a link's rates; a level without it shows the next lower one and says so.
        latencies: Seconds by level name, before any other.
        host_memory_bytes_per_s: Of the CPU, for the path over host memory; None if unknown.
        unverified: Show what no document confirms, such as the L2 figure.
    """

    size_bytes: float = 0
    direction: str = "one-way"
    tier: str = "nominal"
    _: KW_ONLY
    rates: Rates = field(default_factory=lambda: Rates(Origin.SPEC))
    latencies: tuple[tuple[str, float], ...] = ()
    host_memory_bytes_per_s: float | None = None
    unverified: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be asked; raises InputError naming the argument."""
        number("size_bytes", self.size_bytes, least=0)
        choice("direction", self.direction, DIRECTIONS)
        choice("tier", self.tier, TIERS)
        for name, latency_s in self.latencies:
            if name not in LEVEL_NAMES:
                message = f"latencies: {name!r} is no level; one of {', '.join(LEVEL_NAMES)}"
                raise InputError(message)
            number(f"latency of {name}", latency_s, least=0)
        optional_number("host_memory_bytes_per_s", self.host_memory_bytes_per_s, above=0)

    @property
    def published(self) -> bool:
        """The sources' convention: both directions and no latency."""
        return self.rates.origin is Origin.PUBLISHED
