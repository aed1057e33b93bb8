"""Offload: moving a KV cache to host memory and back, at every rate that is known of the host link."""

from dataclasses import dataclass

from core.calculators.bandwidth_hierarchy.levels import one_way, transfer_time_s
from core.calculators.bandwidth_hierarchy.links import level_links
from core.calculators.bandwidth_hierarchy.scenario import TIERS
from core.checks import number
from core.hardware import System
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Copy:
    """
    One direction of the copy at one rate.

    Attributes:
        tier: raw, nominal, effective, measured, or ``published`` for the bidirectional rate.
    """

    tier: str
    link: str
    bytes_per_s: float
    time_s: float
    source: Source


def offload(system: System, size_bytes: float) -> tuple[Copy, ...]:
    """
    Seconds to move ``size_bytes`` between GPU and host: a copy never uses both directions.

    The last entry is what follows from the bidirectional figure that tables print: half the time.
    Empty for a machine without a known host link.
    """
    amount = number("size_bytes", size_bytes, least=0)
    for link in level_links(system):
        if link.level == "host":
            break
    else:
        return ()
    copies = []
    for tier in TIERS:
        rate, name = one_way(link, tier)
        if name != tier:
            continue
        source = link.measured.source if tier == "measured" and link.measured else link.source
        time_s = transfer_time_s(amount, link.latency_s, rate)
        copies.append(Copy(tier, link.link, rate, time_s, source))
    doubled = link.nominal_bytes_per_s * link.both_ways
    return (*copies, Copy("published", link.link, doubled, amount / doubled, link.source))
