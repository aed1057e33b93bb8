"""NVL72 page: the step in time where a group outgrows its domain, beside Hopper nodes and the next rack."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.capacity import edge_steps
from core.catalog import SYSTEMS
from core.systems import configure
from core.units import format_size, format_time
from pages.ui.shared import bound, charts, sizes, tables

COMPARED = (
    ("dgx-h100", "ib-ndr"),
    ("dgx-h100", "ib-xdr"),
    ("gb200-nvl72", None),
    ("vera-rubin-nvl72", None),
)
GROUPS = (8, 16, 32, 64, 72, 96, 128, 144, 288)
TOLD = (8, 16, 72, 144)
INSIDE, ACROSS = "inside a domain", "across domains"


def question():
    """Bytes of every GPU."""
    help_ = "All-to-all: what a GPU sends in all. All-reduce: the vector."
    with st.columns([1, 3])[0]:
        return bound.text("Bytes of a GPU", "edge_size", "64 MB", help=help_)


def machines(own):
    """The machine of the question first, then Hopper nodes over NDR and XDR, and racks."""
    found = {
        (own.id, own.network): replace(own, domains=1) if own.scale_out is None else configure(own, domains=1)
    }
    for name, network in COMPARED:
        system = configure(SYSTEMS[name], network=network)
        found.setdefault((system.id, system.network), system)
    return tuple(found.values())


def name(system):
    """A machine with its network."""
    return f"{system.name}, {system.network or 'no network'}"


@lru_cache(maxsize=64)
def ask(systems, groups, size_bytes, rates):
    """Every machine and group: [(machine's name, step)]."""
    return tuple(
        (name(one), step) for one in systems for step in edge_steps((one,), groups, size_bytes, rates)
    )


def draw(asked, size, other):
    """The sentence, both collectives over the size of the group, and the table."""
    size_bytes = sizes.size_of(size)
    groups = tuple(sorted({*GROUPS, asked.system.domain_gpus, *([other] if other and other > 1 else [])}))
    steps = ask(machines(asked.system), groups, size_bytes, replace(asked.rates, points=()))
    own = [step for label, step in steps if label == name(asked.system)]
    st.markdown(_told(own, size_bytes))
    frame = pd.DataFrame(_rows(steps), columns=COLUMNS)
    left, right = st.columns(2)
    for column, key in ((left, "all-to-all"), (right, "all-reduce")):
        with column:
            words = f"Time of an {key} of {format_size(size_bytes)} by size of the group, inside and across domains"
            charts.draw(_spec(key), words, rows=frame[frame["collective"] == key])
    wanted = {*TOLD, *([other] if other else [])}
    tables.show(
        _table([pair for pair in steps if pair[1].group in wanted]), "The edge of a domain", height="content"
    )
    st.caption(
        "Circles: inside a domain; triangles: across. A machine that is announced says so; its figures are "
        "extrapolated from machines that were measured."
    )


def _told(own, size_bytes):
    """What the edge costs on the machine of the question."""
    inside = [one for one in own if one.domains == 1]
    across = [one for one in own if one.domains > 1]
    if not inside or not across:
        return "This machine has one domain and no network: no group of it crosses an edge."
    last, first = inside[-1], across[0]
    ratio = [first.all_to_all_s / last.all_to_all_s, first.all_reduce_s / last.all_reduce_s]
    return (
        f"From {last.group} to {first.group} GPUs, {format_size(size_bytes)} each: an all-to-all goes from "
        f"{format_time(last.all_to_all_s)} to {format_time(first.all_to_all_s)} (**{ratio[0]:.1f} times**), an all-reduce "
        f"from {format_time(last.all_reduce_s)} to {format_time(first.all_reduce_s)} (**{ratio[1]:.1f} times**); "
        f"{100 * first.leaving_share:.0f} % of the all-to-all's bytes leave the domain."
    )


COLUMNS = ["machine", "group", "collective", "time_s", "place", "leaving", "basis"]


def _rows(steps):
    return [
        (label, one.group, key, time_s, ACROSS if one.domains > 1 else INSIDE, one.leaving_share, one.basis)
        for label, one in steps
        for key, time_s in (("all-to-all", one.all_to_all_s), ("all-reduce", one.all_reduce_s))
    ]


def _table(steps):
    return pd.DataFrame(
        {
            "GPUs": one.group,
            "machine": label,
            "domains": one.domains,
            "bytes that leave": f"{100 * one.leaving_share:.0f} %",
            "all-to-all": format_time(one.all_to_all_s),
            "all-reduce": format_time(one.all_reduce_s),
            "rates": one.basis.replace("extrapolated:", "extrapolated: ").replace(
                "calibrated:", "calibrated: "
            ),
        }
        for label, one in sorted(steps, key=lambda pair: pair[1].group)
    )


@lru_cache(maxsize=4)
def _spec(key):
    ticks = alt.Axis(values=[8, 16, 32, 72, 144, 288, 576, 1152], gridOpacity=0.35, labelOverlap="greedy")
    log = alt.Scale(type="log", base=2, nice=False)
    x = alt.X("group:Q", title="GPUs in the group", scale=log, axis=ticks)
    base = alt.Chart(charts.rows()).encode(
        x=x,
        y=charts.log_axis("time_s", f"Time of an {key} (s)", "s", axis=alt.Y),
        color=alt.Color("machine:N", title=None, sort=None, legend=charts.legend(columns=1)),
        tooltip=[
            alt.Tooltip("machine:N", title="Machine"),
            alt.Tooltip("group:Q", title="GPUs"),
            alt.Tooltip("place:N", title="Where"),
            charts.tip("time_s", "Time", "s"),
            alt.Tooltip("leaving:Q", title="Bytes that leave", format=".0%"),
            alt.Tooltip("basis:N", title="Rates"),
        ],
    )
    shape = alt.Shape(
        "place:N", scale=alt.Scale(domain=[INSIDE, ACROSS], range=["circle", "triangle-up"]), legend=None
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(shape=shape)
    return charts.spec(alt.layer(base.mark_line(size=2), points), height=420)
