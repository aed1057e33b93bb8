"""The question: a machine, a number of bytes, and how rates are to be told."""

from dataclasses import dataclass, field

from core.checks import InputError, choice, number
from core.collectives.rates import Rates
from core.hardware import System
from core.provenance import Origin

TIERS = ("raw", "nominal", "effective", "measured")
"""On the wire with line code; as printed; after line code and headers; what somebody measured."""

BOTH_WAYS = "both-ways"
DIRECTIONS = ("one-way", BOTH_WAYS)
LEVEL_NAMES = ("L2", "memory", "scale-up", "scale-up pair", "host", "network", "network spine")


@dataclass(frozen=True, slots=True)
class Scenario:
    """
    What the ladder of one machine is asked.

    Attributes:
        size_bytes: A copy in one direction.
        direction: How rates are shown; a copy's time always counts the way it moves.
        tier: Which of a link's rates; a level without it shows the next lower one and says so.
        rates: ``published`` makes copies both ways at once and latency vanish, as the sources do;
            a latency or rate given there replaces that of every wire.
        latencies: Seconds by level name, before any other.
        host_memory_bytes_per_s: Of the CPU, for the path over host memory; None if unknown.
        unverified: Show what no document confirms, such as the L2 figure.
    """

    system: System
    size_bytes: float = 0
    direction: str = "one-way"
    tier: str = "nominal"
    rates: Rates = field(default_factory=lambda: Rates(Origin.SPEC))
    latencies: tuple[tuple[str, float], ...] = ()
    host_memory_bytes_per_s: float | None = None
    unverified: bool = False

    @property
    def published(self) -> bool:
        """The sources' convention: both directions and no latency."""
        return self.rates.origin is Origin.PUBLISHED


def check(scenario: Scenario) -> None:
    """Refuse what cannot be asked; raises InputError naming the argument."""
    number("size_bytes", scenario.size_bytes, least=0)
    choice("direction", scenario.direction, DIRECTIONS)
    choice("tier", scenario.tier, TIERS)
    for name, latency_s in scenario.latencies:
        if name not in LEVEL_NAMES:
            message = f"latencies: {name!r} is no level; one of {', '.join(LEVEL_NAMES)}"
            raise InputError(message)
        number(f"latency of {name}", latency_s, least=0)
    if scenario.host_memory_bytes_per_s is not None:
        number("host_memory_bytes_per_s", scenario.host_memory_bytes_per_s, above=0)
