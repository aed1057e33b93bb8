"""Which parallelism on which interconnect: exposed communication of each kind on each of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.layouts import InterconnectPlacement, interconnects, place_serving, place_training
from core.calculators.layouts.placement import AS_PLACED
from core.catalog import link_name
from core.units import format_number, format_share
from pages.ui.layouts import specs
from pages.ui.layouts.result import Result, TrainingResult
from pages.ui.shared import charts, findings
from pages.ui.shared.messages import plain

CHEAP = 0.05
"""Slowdown up to which an interconnect is good enough."""
SHORT = 0.1


@lru_cache(maxsize=64)
def _placements(result: Result) -> tuple[InterconnectPlacement, ...]:
    options = interconnects(result.scenario.system, result.gpus)
    if isinstance(result, TrainingResult):
        return tuple(place_training(result.ranking.layouts, options))
    return tuple(place_serving(result.scenario, result.ranking.layouts, options))


def draw(result: Result) -> None:
    """Each kind of parallelism on each interconnect, and in words where each belongs."""
    placements = _placements(result)
    if not placements:
        st.info("The layouts that fit use no parallelism that communicates.")
        return
    frame = pd.DataFrame(
        {
            "kind": _name(placement),
            "interconnect": link_name(placement.interconnect),
            "cell": "–" if placement.share is None else _short(placement.share),
            "share": "–" if placement.share is None else format_share(placement.share),
            "verdict": placement.verdict or specs.IMPOSSIBLE,
            "longer": "" if placement.slowdown is None else f"+{format_share(placement.slowdown)}",
            "layout": placement.layout,
            "note": placement.note,
        }
        for placement in placements
    )
    able = [placement for placement in placements if placement.share is not None]
    places = [f"{_name(item)} on {link_name(item.interconnect)}" for item in able]
    shares = findings.listed(places, [item.share or 0.0 for item in able], format_share)
    description = (
        f"Exposed communication by kind of parallelism and interconnect, share of the step: {shares}"
    )
    chart, words = st.columns([3, 2], vertical_alignment="center")
    with chart:
        charts.draw(specs.placement(frame["kind"].nunique()), description, rows=frame)
    with words:
        st.markdown("\n".join(f"* {line}" for line in _recommendations(placements)))
        st.caption(plain(_about(placements, _best(result))))


def _best(result: Result) -> str:
    if isinstance(result, TrainingResult):
        return result.ranking.ranked[0].name()
    return result.ranking.best.name()


def _about(placements: Sequence[InterconnectPlacement], best: str) -> str:
    """What the rows are of: the best layout, and for kinds that it does not use the best one that does."""
    others: dict[str, list[str]] = {}
    for name, layout in {_name(placement): placement.layout for placement in placements}.items():
        if layout != best:
            others.setdefault(layout, []).append(name)
    rows = "; ".join(
        f"{_listed(kinds)} of {layout}, the best that uses {_it(kinds)}" for layout, kinds in others.items()
    )
    return (
        "Share of the step. "
        + (f"Rows: the best layout; {rows}. " if others else "")
        + f"{AS_PLACED.capitalize()}: over the interconnects of this system that the layout uses."
    )


def _listed(kinds: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))


def _it(kinds: Sequence[str]) -> str:
    return "it" if len(kinds) == 1 else "them"


def _short(share: float) -> str:
    """Two digits, so that a cell is readable on a phone; the tooltip has three."""
    return f"{100 * share:.2g} %" if share < SHORT else f"{100 * share:.0f} %"


def _name(placement: InterconnectPlacement) -> str:
    return f"{placement.kind.upper()} {placement.degree:,}"


def _recommendations(placements: tuple[InterconnectPlacement, ...]) -> Iterator[str]:
    """Interconnects on which each kind costs at most 5 % of step time against the best; the same advice once."""
    kinds: dict[str, list[str]] = {}
    for kind in dict.fromkeys(placement.kind for placement in placements):
        row = [placement for placement in placements if placement.kind == kind]
        kinds.setdefault(_recommendation(row), []).append(_name(row[0]))
    for advice, same in kinds.items():
        yield f"**{_listed(same)}**: {advice}"


def _recommendation(row: Sequence[InterconnectPlacement]) -> str:
    """Where one kind belongs."""
    slowdowns = {
        placement.interconnect: placement.slowdown for placement in row if placement.slowdown is not None
    }
    real = {placement.interconnect for placement in row if not placement.note}
    cheap = [name for name, slowdown in slowdowns.items() if slowdown < CHEAP and name in real]
    if len(cheap) == len(slowdowns):
        return "any of these interconnects."
    if not cheap:
        return "expensive on every interconnect that exists here."
    worst = max(slowdowns, key=slowdowns.__getitem__)
    return (
        f"{plain(', '.join(map(link_name, cheap)))}; on {plain(link_name(worst))} the step takes "
        f"{format_number(1 + slowdowns[worst])} times as long."
    )
