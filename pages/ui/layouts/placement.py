"""Which parallelism on which interconnect: exposed communication of each kind on each of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.layouts import InterconnectPlacement, interconnects, place_serving, place_training
from core.calculators.layouts.placement import AS_PLACED
from core.units import format_number, format_share
from pages.ui.layouts import specs
from pages.ui.layouts.result import Result, TrainingResult
from pages.ui.shared import charts, findings, names
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
            "interconnect": names.link(placement.interconnect),
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
    places = [f"{_name(item)} on {names.link(item.interconnect)}" for item in able]
    shares = findings.listed(places, [item.share or 0.0 for item in able], findings.percent)
    description = (
        f"Exposed communication by kind of parallelism and interconnect, share of the step: {shares}"
    )
    charts.draw(specs.placement(), description, rows=frame)
    st.caption(plain(_about(placements, _best(result))))
    st.markdown("\n".join(f"* {line}" for line in _recommendations(placements)))


def _best(result: Result) -> str:
    if isinstance(result, TrainingResult):
        return result.ranking.ranked[0].name()
    return result.ranking.best.name()


def _about(placements: Sequence[InterconnectPlacement], best: str) -> str:
    """Which layout each row is of: those of the best layout stand first."""
    layouts = {_name(placement): placement.layout for placement in placements}
    own = [name for name, layout in layouts.items() if layout == best]
    others = "; ".join(f"{name} of {layout}" for name, layout in layouts.items() if layout != best)
    first = f"{', '.join(own)} of the best layout, {best}. " if own else ""
    return (
        f"Exposed communication, share of the step. Rows: {first}"
        + (f"For comparison, the best layout that uses it: {others}. " if others else "")
        + f"{AS_PLACED.capitalize()}: on this system, over the interconnects that the layout uses."
    )


def _short(share: float) -> str:
    """Two digits, so that a cell is readable on a phone; the tooltip has three."""
    return f"{100 * share:.2g} %" if share < SHORT else f"{100 * share:.0f} %"


def _name(placement: InterconnectPlacement) -> str:
    return f"{placement.kind.upper()} {placement.degree:,}"


def _recommendations(placements: tuple[InterconnectPlacement, ...]) -> Iterator[str]:
    """Interconnects on which each kind costs at most 5 % of step time against the best."""
    for kind in dict.fromkeys(placement.kind for placement in placements):
        row = [placement for placement in placements if placement.kind == kind]
        slowdowns = {
            placement.interconnect: placement.slowdown for placement in row if placement.slowdown is not None
        }
        real = {placement.interconnect for placement in row if not placement.note}
        cheap = [name for name, slowdown in slowdowns.items() if slowdown < CHEAP and name in real]
        name = f"**{_name(row[0])}**"
        if len(cheap) == len(slowdowns):
            yield f"{name}: any of these interconnects."
        elif cheap:
            worst = max(slowdowns, key=slowdowns.__getitem__)
            yield (
                f"{name}: {plain(', '.join(map(names.link, cheap)))}; on {plain(names.link(worst))} the step takes "
                f"{format_number(1 + slowdowns[worst])} times as long."
            )
        else:
            yield f"{name}: expensive on every interconnect that exists here."
