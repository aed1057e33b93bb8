"""The answer: bandwidth hierarchy of a system, its paths to the network, and the time of a copy."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from core.calculators.bandwidth_hierarchy.ceilings import Ceiling, ladder
from core.calculators.bandwidth_hierarchy.gpudirect import Path, paths
from core.calculators.bandwidth_hierarchy.levels import Level, levels
from core.calculators.bandwidth_hierarchy.offload import Copy, offload
from core.calculators.bandwidth_hierarchy.scenario import BOTH_WAYS, Scenario
from core.hardware import Topology
from core.provenance import Origin, Source
from core.units import format_rate, format_size, format_time

FORMULA = r"t = a + \frac{S}{B},\quad t(0) = 0,\quad S_{1/2} = a B"
ONE_DIRECTION = "A copy moves in one direction, so its time counts one direction whatever is shown."
BOTH_DIRECTIONS = "A copy is timed at the bidirectional rate, as published tables do: half of what it takes."
SHARED = "Memory has one rate for reads and writes together: never halved, never doubled."


@dataclass(frozen=True, slots=True)
class Answer:
    """
    The bandwidth hierarchy of one system.

    Attributes:
        levels: From the inside out.
        paths: With and without GPUDirect; empty without a network.
        offload: The same bytes to host memory, at every rate that is known.
        ceilings: From the datasheet figure to the best collective.
        rates: What answered: ``published``, ``spec``, or ``measured`` for that tier. A calibration or fit of
            collectives says nothing of one copy.
        overrides: Latencies in seconds and rates in bytes/s that the user gave, by attribute or level.
    """

    system: str
    size_bytes: float
    direction: str
    tier: str
    levels: tuple[Level, ...]
    paths: tuple[Path, ...]
    offload: tuple[Copy, ...]
    ceilings: tuple[Ceiling, ...]
    rates: str
    overrides: dict[str, float | str]
    headline: str
    formula: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]

    def json(self) -> dict[str, Any]:
        """The answer as the shell prints it: plain values, sources by title."""
        plain = asdict(self)
        for rows in ("levels", "offload", "ceilings"):
            for row in plain[rows]:
                row["source"] = _cited(row["source"])
        plain["sources"] = [_cited(source) for source in plain["sources"]]
        return plain


def answer(scenario: Scenario) -> Answer:
    """
    The levels of a machine and what a copy of ``size_bytes`` costs on each.

    Raises:
        InputError: A value that cannot be used; the message names it.
    """
    if scenario.published:
        scenario = replace(scenario, direction=BOTH_WAYS)
    rows = levels(scenario)
    return Answer(
        system=scenario.system.id,
        size_bytes=float(scenario.size_bytes),
        direction=scenario.direction,
        tier=scenario.tier,
        levels=rows,
        paths=_paths(scenario),
        offload=offload(scenario),
        rates=_answered(scenario),
        overrides=scenario.rates.overrides | dict(scenario.latencies),
        ceilings=ladder(scenario.system),
        headline=_headline(scenario, rows),
        formula=FORMULA,
        assumptions=(BOTH_DIRECTIONS if scenario.published else ONE_DIRECTION, SHARED),
        warnings=_warnings(scenario),
        sources=tuple(dict.fromkeys([*(row.source for row in rows), *scenario.system.sources])),
    )


def _answered(scenario: Scenario) -> str:
    """Where the rates shown come from, whatever rates were chosen."""
    if scenario.published:
        return str(Origin.PUBLISHED)
    return "measured" if scenario.tier == "measured" else str(Origin.SPEC)


def _paths(scenario: Scenario) -> tuple[Path, ...]:
    """Rates of one direction, whatever direction is shown."""
    single = {row.level: row for row in levels(replace(scenario, direction="one-way", unverified=False))}
    if "host" not in single or "network" not in single:
        return ()
    return paths(
        single["host"],
        single["network"],
        float(scenario.size_bytes),
        memory_bytes_per_s=scenario.host_memory_bytes_per_s,
    )


def _headline(scenario: Scenario, rows: tuple[Level, ...]) -> str:
    first, last = rows[0], rows[-1]
    slower = first.bytes_per_s / last.bytes_per_s
    both = scenario.direction == BOTH_WAYS
    rate = format_rate(last.bytes_per_s) + (" bidirectional" if both else " per direction")
    text = (
        f"{scenario.system.name}: {last.level} ({last.link}, {rate}) is "
        f"{slower:,.3g} times slower than {first.level} ({format_rate(first.bytes_per_s)})"
    )
    if scenario.size_bytes > 0:
        way = " in one direction" if both and not scenario.published else ""
        text += f"; {format_size(scenario.size_bytes)} take {format_time(last.time_s)}{way} there"
    return text + "."


def _warnings(scenario: Scenario) -> tuple[str, ...]:
    lines = []
    if scenario.published:
        lines.append(scenario.rates.remark)
    topology = scenario.system.scale_up.topology
    if topology.pcie:
        lines.append("No GPU-to-GPU link: GPUs communicate over PCIe.")
    if topology is Topology.BRIDGE and scenario.system.domain_gpus > 1:
        lines.append("The NVLink bridge joins pairs only: any other GPU is reached over PCIe.")
    nics, gpus = scenario.system.nics_per_domain, scenario.system.domain_gpus
    if 0 < nics < gpus:
        lines.append(f"{nics} NICs are shared by {gpus} GPUs: the network row is the share of one GPU.")
    if scenario.system.unverified:
        lines.append(f"Unverified: {scenario.system.unverified}.")
    return tuple(lines)


def _cited(source: dict[str, str]) -> str:
    return f"{source['title']} ({source['where']})"
