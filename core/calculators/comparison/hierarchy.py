"""Bandwidth hierarchy: the transfer at each level by latency and bytes over rate."""

from core.calculators.bandwidth_hierarchy import Answer, Level, Scenario
from core.calculators.comparison.explanation import (
    RATE,
    SECONDS,
    Explanation,
    Factor,
    Figure,
    Part,
    Quantity,
)
from core.calculators.comparison.facts import option, rate, rates_text
from core.units import format_size, format_time


def hierarchy(scenario: Scenario, answer: Answer) -> Explanation:
    """Every level's transfer, the outermost first as in the headline, and its bandwidth."""
    levels = answer.levels[::-1]
    return Explanation(
        subject=f"{format_size(answer.size_bytes)} on {scenario.system.name}",
        work={
            "transfer size": format_size(answer.size_bytes),
            "bandwidth shown": answer.direction,
            "bandwidth tier": answer.tier,
            "rates": rates_text(scenario.rates),
        },
        quantities=tuple(
            Quantity(f"Transfer, {level.level}", SECONDS, _parts(answer, level)) for level in levels
        ),
        figures=tuple(
            Figure(f"Bandwidth, {level.level}", level.bytes_per_s, RATE, more=True) for level in levels
        ),
        rates=answer.rates,
        assumptions=answer.assumptions,
        warnings=answer.warnings,
        sources=answer.sources,
    )


def _parts(answer: Answer, level: Level) -> tuple[Part, ...]:
    link = option("link", level.link)
    size = Factor("size", format_size(answer.size_bytes), answer.size_bytes)
    latency_s = level.latency_s if level.time_s else 0.0
    latency = Factor("latency", format_time(level.latency_s), level.latency_s)
    return (
        Part("latency", latency_s, (latency, link)),
        Part("transfer", level.time_s - latency_s, (size, rate("bandwidth", level.bytes_per_s), link)),
    )
