"""The answer of the page Bandwidth hierarchy in words, figures and tables."""

from functools import lru_cache
from itertools import pairwise

import pandas as pd
import streamlit as st

from core.calculators.bandwidth_hierarchy import DIRECTIONS, Answer, Level, Scenario
from core.calculators.bandwidth_hierarchy import answer as calculate
from core.catalog import link_name
from core.units import format_message, format_rate, format_size, format_time
from pages.ui.shared import names, tables
from pages.ui.shared.answer import Figure, Headline

BIDIRECTIONAL = DIRECTIONS[1]


@lru_cache(maxsize=64)
def ask(scenario: Scenario) -> Answer:
    """The answer, remembered."""
    return calculate(scenario)


def headline(result: Answer, system: str) -> Headline:
    """The range of the hierarchy, its largest drop, and the size below which latency dominates."""
    pairs = [
        (lower.ratio_to_previous, upper, lower)
        for upper, lower in pairwise(result.levels)
        if lower.ratio_to_previous is not None
    ]
    if not pairs:
        return Headline(_answer(result, system))
    ratio, upper, lower = max(pairs, key=lambda pair: pair[0])
    by_level = ", ".join(f"{level.level} {format_rate(level.bytes_per_s)}" for level in result.levels)
    reason = (
        f"The largest drop is from {upper.level} to {lower.level}: {ratio:,.3g} times, compared per direction. "
        f"All levels: {by_level}."
    )
    last = result.levels[-1]
    crossover = ""
    if last.half_size_bytes > 0:
        crossover = (
            f"Below {format_message(last.half_size_bytes)} a transfer over {last.level} is bound by latency, "
            "not by bandwidth."
        )
    return Headline(_answer(result, system), reason, crossover)


def _answer(result: Answer, system: str) -> str:
    first, last = result.levels[0], result.levels[-1]
    direction = "bidirectional" if last.direction == BIDIRECTIONAL else "unidirectional"
    text = (
        f"{system}: {last.level} ({link_name(last.link)}, {format_rate(last.bytes_per_s)} per GPU, {direction}) is "
        f"{first.bytes_per_s / last.bytes_per_s:,.3g} times slower than {first.level} ({format_rate(first.bytes_per_s)})"
    )
    if result.size_bytes > 0:
        text += f"; a transfer of {format_size(result.size_bytes)} takes {format_time(last.time_s)} there"
    return f"{text}."


def figures(result: Answer) -> list[Figure]:
    """Transfer time at every level."""
    return [
        Figure(
            names.sentence(name(level)), format_time(level.time_s), f"{link_name(level.link)}. {level.note}"
        )
        for level in result.levels
    ]


def name(level: Level) -> str:
    """A level's name, marked where only an estimate stands behind it."""
    return f"{level.level} (unverified)" if "no document confirms" in level.note else level.level


def slowdown(level: Level) -> str:
    """How much slower a level is than the one above; empty at the top."""
    ratio = level.ratio_to_previous
    return "" if ratio is None else f"{ratio:,.3g}× slower"


def table(result: Answer) -> pd.DataFrame:
    """Every level as a row, with its source."""
    return pd.DataFrame(
        {
            "level": level.level,
            "link": link_name(level.link),
            "bandwidth": format_rate(level.bytes_per_s),
            "direction": level.direction,
            "tier": level.tier,
            "latency": format_time(level.latency_s),
            "transfer time": format_time(level.time_s),
            "ratio to the level above": level.ratio_to_previous,
            "half-bandwidth size": format_message(level.half_size_bytes),
            "source": f"{level.source.title} ({level.source.where})",
            "note": level.note,
        }
        for level in result.levels
    )


def ceilings(result: Answer) -> None:
    """The table from the datasheet figure down to the best bus bandwidth of a collective."""
    if not result.ceilings:
        return
    frame = pd.DataFrame(
        {
            "ceiling": ceiling.name,
            "per GPU": format_rate(ceiling.bytes_per_s),
            "origin": str(ceiling.origin),
            "meaning": ceiling.meaning,
            "source": ceiling.source.title,
        }
        for ceiling in result.ceilings
    )
    title = "Ceilings: from datasheet bandwidth to the best bus bandwidth"
    with st.expander(title, icon=":material/vertical_align_top:"):
        tables.show(frame, "Ceilings of the scale-up link")
