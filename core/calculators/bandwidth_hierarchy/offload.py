"""Offload: moving a KV cache to host memory and back, at every rate that is known of the host link."""

from dataclasses import dataclass

from core.calculators.bandwidth_hierarchy.levels import (
    one_way,
    replaced_latency_s,
    replaced_rate,
    transfer_time_s,
)
from core.calculators.bandwidth_hierarchy.links import level_links
from core.calculators.bandwidth_hierarchy.scenario import TIERS, Scenario
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Copy:
    """
    One direction of the copy at one rate.

    Attributes:
        tier: ``given`` for a rate of the user's; raw, nominal, effective, measured; ``published`` for the
            bidirectional rate.
    """

    tier: str
    link: str
    bytes_per_s: float
    time_s: float
    source: Source


def offload(scenario: Scenario) -> tuple[Copy, ...]:
    """
    Seconds to move the scenario's bytes between GPU and host: a copy never uses both directions.

    A latency or rate of the user's replaces that of the host link, as on its level. The last entry is
    what follows from the bidirectional figure that tables print: half the time, without latency unless
    one is given. Empty for a machine without a known host link.
    """
    amount = scenario.size_bytes
    for link in level_links(scenario.system):
        if link.level == "host":
            break
    else:
        return ()
    given_s = replaced_latency_s(scenario, link)
    latency_s = link.latency_s if given_s is None else given_s
    copies = []
    if (rate := replaced_rate(scenario, link)) is not None:
        time_s = transfer_time_s(amount, latency_s, rate)
        copies.append(Copy("given", link.link, rate, time_s, link.source))
    for tier in TIERS:
        rate, name = one_way(link, tier)
        if name != tier:
            continue
        source = link.measured.source if tier == "measured" and link.measured else link.source
        time_s = transfer_time_s(amount, latency_s, rate)
        copies.append(Copy(tier, link.link, rate, time_s, source))
    doubled = link.nominal_bytes_per_s * link.both_ways
    time_s = transfer_time_s(amount, given_s or 0.0, doubled)
    return (*copies, Copy("published", link.link, doubled, time_s, link.source))
