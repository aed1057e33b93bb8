"""The edge of the scale-up domain: collective time where a group outgrows its domain, beside other systems."""

from dataclasses import dataclass, replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.capacity import EdgeStep, Scenario, edge_steps
from core.catalog import SYSTEMS, link_name
from core.catalog.networks import next_generation
from core.collectives.rates import Rates
from core.hardware import System
from core.systems import configure
from core.units import format_size, format_time, whole_percent
from pages.ui.shared import basis, bound, charts, findings, sizes, tables

NODE, RACKS = "dgx-h100", ("gb200-nvl72", "vera-rubin-nvl72")
GROUPS = (8, 16, 32, 64, 72, 96, 128, 144, 288)
TABLED = (8, 16, 72, 144)
TABLE_HEIGHT = 230
"""Rows beyond this are scrolled."""
SHORT_NAME = "replace(replace(datum.label, 'InfiniBand ', ''), ' (announced)', '*')"
"""A system with its network as a phone has room for it."""
INSIDE, ACROSS = "inside a domain", "across domains"
KINDS = {"all-to-all": "all_to_all_s", "all-reduce": "all_reduce_s"}
COLUMNS = ["system", "group", "collective", "time_s", "place", "leaving", "basis"]


@dataclass(frozen=True, slots=True)
class Step:
    """A collective over one group on one system."""

    system: str
    edge: EdgeStep

    @property
    def place(self) -> str:
        """Whether the group fits one domain."""
        return ACROSS if self.edge.domains > 1 else INSIDE


def message_size() -> str:
    """The widget of the message size, as text with its unit."""
    with st.columns([1, 3])[0]:
        return bound.text(
            "Message size per GPU",
            "edge_size",
            "64 MiB",
            help="All-to-all: what a GPU sends in all. All-reduce: its buffer.",
        )


def systems(own: System) -> tuple[System, ...]:
    """The page's own system first, then Hopper nodes on their network and the next, and racks."""
    alone = replace(own, domains=1) if own.scale_out is None else configure(own, domains=1)
    compared = {(own.id, own.network): alone}
    node = SYSTEMS[NODE]
    faster = configure(node, network=next_generation(node.network or ""))
    for system in (node, faster, *(SYSTEMS[rack] for rack in RACKS)):
        compared.setdefault((system.id, system.network), system)
    return tuple(compared.values())


def name(system: System) -> str:
    """A system with its scale-out network."""
    return f"{system.name}, {link_name(system.network) or 'no network'}"


@lru_cache(maxsize=64)
def ask(
    compared: tuple[System, ...], groups: tuple[int, ...], size_bytes: int, rates: Rates
) -> tuple[Step, ...]:
    """Every system and group size that has an answer."""
    return tuple(
        Step(name(system), edge)
        for system in compared
        for edge in edge_steps((system,), groups, size_bytes, rates)
    )


def draw(scenario: Scenario, size: str, other: int | None) -> None:
    """What the edge costs, both collectives over group size, and the table."""
    size_bytes = sizes.size_of(size)
    extra = [other] if other else []
    groups = tuple(sorted({*GROUPS, scenario.system.domain_gpus, *(count for count in extra if count > 1)}))
    steps = ask(systems(scenario.system), groups, size_bytes, replace(scenario.rates, points=()))
    own = [step.edge for step in steps if step.system == name(scenario.system)]
    st.markdown(_edge_cost(own, size_bytes))
    frame = _frame(steps)
    for column, kind in zip(st.columns(2), KINDS, strict=True):
        with column:
            rows = frame[frame["collective"] == kind]
            grows = findings.ends(rows, "system", "group", "time_s", format_time)
            title = f"{kind.capitalize()} time of {format_size(size_bytes)} vs group size, by system"
            charts.draw(_spec(kind), f"{title}: {grows}", rows=rows)
    tabled = [step for step in steps if step.edge.group in {*TABLED, *extra}]
    tables.show(_table(tabled), "Collectives inside and across scale-up domains", height=TABLE_HEIGHT)
    st.caption(
        "Circles: inside a domain; triangles: across domains. Announced systems are marked; their times are extrapolated "
        "from measured ones."
    )


def _edge_cost(own: list[EdgeStep], size_bytes: int) -> str:
    """The step of both collectives between the largest group inside and the smallest across."""
    inside = [edge for edge in own if edge.domains == 1]
    across = [edge for edge in own if edge.domains > 1]
    if not inside or not across:
        return "This system has one domain and no network: no group crosses its edge."
    last, first = inside[-1], across[0]
    changes = []
    for kind, field in KINDS.items():
        before_s, after_s = getattr(last, field), getattr(first, field)
        changes.append(
            f"{kind} from {format_time(before_s)} to {format_time(after_s)} (**{after_s / before_s:.1f} times**)"
        )
    return (
        f"From {last.group} to {first.group} GPUs at {format_size(size_bytes)}: {', '.join(changes)}; "
        f"{100 * first.leaving_share:.0f} % of the all-to-all's bytes leave the domain."
    )


def _frame(steps: tuple[Step, ...]) -> pd.DataFrame:
    rows = [
        (
            step.system,
            step.edge.group,
            kind,
            getattr(step.edge, field),
            step.place,
            step.edge.leaving_share,
            basis.short(step.edge.basis),
        )
        for step in steps
        for kind, field in KINDS.items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _table(steps: list[Step]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "GPUs": step.edge.group,
            "system": step.system,
            "domains": step.edge.domains,
            "leaving domain": whole_percent(step.edge.leaving_share),
            "all-to-all": format_time(step.edge.all_to_all_s),
            "all-reduce": format_time(step.edge.all_reduce_s),
            "basis": basis.short(step.edge.basis),
        }
        for step in sorted(steps, key=lambda step: step.edge.group)
    )


@lru_cache(maxsize=4)
def _spec(kind: str) -> charts.Spec:
    ticks = alt.Axis(values=[8, 16, 32, 72, 144, 288, 576, 1152], gridOpacity=0.35, labelOverlap="greedy")
    log = alt.Scale(type="log", base=2, nice=False)
    legend = charts.legend(columns=2, narrow=1, label=SHORT_NAME)
    base = alt.Chart(charts.rows()).encode(
        x=alt.X("group:Q", title="GPUs in the group", scale=log, axis=ticks),
        y=charts.log_axis("time_s", f"{kind.capitalize()} time", "s", axis=alt.Y),
        color=alt.Color("system:N", title=None, sort=None, legend=legend),
        tooltip=[
            alt.Tooltip("system:N", title="System"),
            alt.Tooltip("group:Q", title="GPUs"),
            alt.Tooltip("place:N", title="Group"),
            charts.tip("time_s", "Time", "s"),
            charts.tip("leaving", "Bytes leaving the domain", "%"),
            alt.Tooltip("basis:N", title="Basis"),
        ],
    )
    places = alt.Scale(domain=[INSIDE, ACROSS], range=["circle", "triangle-up"])
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        shape=alt.Shape("place:N", scale=places, legend=None)
    )
    return charts.spec(alt.layer(base.mark_line(size=2), points), height=290)
