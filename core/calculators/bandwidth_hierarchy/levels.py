"""Levels: the links of a system at one tier and in one direction."""

from dataclasses import dataclass

from core.calculators.bandwidth_hierarchy.links import LevelLink, level_links
from core.calculators.bandwidth_hierarchy.scenario import BOTH_WAYS, TIERS, Scenario
from core.collectives.rates import Rates
from core.provenance import Source

SLOWEST_PLAUSIBLE = 1.1
"""A link faster than this times its nominal rate is a mistake, unless a switch reduces."""


@dataclass(frozen=True, slots=True)
class Level:
    """
    One row of the bandwidth hierarchy.

    Attributes:
        bytes_per_s: Per GPU, in the direction shown; memory shares its rate and is never doubled.
        tier: Which rate this is; not always the one asked for, see ``note``.
        time_s: Latency plus size over the rate of the way that bytes move; zero for zero bytes.
        ratio_to_previous: How many times slower than the level above, like for like; None on top.
        half_size_bytes: Latency times rate: there half of the time is latency.
    """

    level: str
    link: str
    bytes_per_s: float
    direction: str
    tier: str
    latency_s: float
    time_s: float
    ratio_to_previous: float | None
    half_size_bytes: float
    source: Source
    note: str = ""


def levels(scenario: Scenario) -> tuple[Level, ...]:
    """The levels of a system, from the inside out."""
    rows: list[Level] = []
    for link in level_links(scenario.system, unverified=scenario.unverified):
        above = rows[-1] if rows else None
        rows.append(_level(scenario, link, above))
    return tuple(rows)


def one_way(link: LevelLink, tier: str) -> tuple[float, str]:
    """Rate of one direction at a tier, or at the next lower one that is known, and which that is."""
    rates = {
        "raw": link.raw_bytes_per_s,
        "nominal": link.nominal_bytes_per_s,
        "effective": link.effective_bytes_per_s,
        "measured": None if link.measured is None else link.measured.one_way_bytes_per_s,
    }
    fallbacks = TIERS[: TIERS.index(tier) + 1][::-1] if tier != "raw" else ("raw", "nominal")
    for name in fallbacks:
        rate = rates[name]
        if rate is not None:
            return rate, name
    return link.nominal_bytes_per_s, "nominal"


def transfer_time_s(size_bytes: float, latency_s: float, bytes_per_s: float) -> float:
    """Latency plus bytes over rate; nothing for nothing."""
    return latency_s + size_bytes / bytes_per_s if size_bytes > 0 else 0.0


def _level(scenario: Scenario, link: LevelLink, above: Level | None) -> Level:
    single, tier = one_way(link, scenario.tier)
    override = replaced_rate(scenario, link)
    if override is not None:
        single, tier = override, "given"
    both = _both_ways(link, single, tier)
    moving = both if scenario.published else single
    shown = both if scenario.direction == BOTH_WAYS else single
    latency_s = _latency(scenario, link)
    return Level(
        level=link.level,
        link=link.link,
        bytes_per_s=shown,
        direction="shared" if link.both_ways == 1 else scenario.direction,
        tier=tier,
        latency_s=latency_s,
        time_s=transfer_time_s(scenario.size_bytes, latency_s, moving),
        ratio_to_previous=None if above is None else above.bytes_per_s / shown,
        half_size_bytes=latency_s * moving,
        source=link.measured.source if tier == "measured" and link.measured else link.source,
        note=_note(scenario, link, tier),
    )


def _both_ways(link: LevelLink, single: float, tier: str) -> float:
    measured = link.measured
    if tier == "measured" and measured is not None and measured.both_ways_bytes_per_s is not None:
        return measured.both_ways_bytes_per_s
    return single * link.both_ways


def replaced_latency_s(scenario: Scenario, link: LevelLink) -> float | None:
    """The latency that the user gives for a level, else for every link; None where neither is given."""
    for name, latency_s in scenario.latencies:
        if name == link.level:
            return latency_s
    return _rates(scenario, link).latency_s


def replaced_rate(scenario: Scenario, link: LevelLink) -> float | None:
    """The rate that the user gives for every link, per direction; None where none is given."""
    return _rates(scenario, link).bytes_per_s if link.both_ways > 1 else None


def _latency(scenario: Scenario, link: LevelLink) -> float:
    replaced_s = replaced_latency_s(scenario, link)
    if replaced_s is not None:
        return replaced_s
    return 0.0 if scenario.published else link.latency_s


def _rates(scenario: Scenario, link: LevelLink) -> Rates:
    """What replaces the figures of this link."""
    return scenario.rates.across if link.level.startswith("network") else scenario.rates


def _note(scenario: Scenario, link: LevelLink, tier: str) -> str:
    notes = [link.note] if link.note else []
    if tier == "measured" and link.measured is not None:
        notes.insert(0, link.measured.how)
    elif tier == "given":
        override = _rates(scenario, link).bytes_per_s or 0.0
        above = override > SLOWEST_PLAUSIBLE * link.nominal_bytes_per_s
        notes.insert(0, "given; above what the link can carry" if above else "given")
    elif tier != scenario.tier:
        notes.insert(0, f"no {scenario.tier} rate is known: {tier}")
    return "; ".join(notes)
