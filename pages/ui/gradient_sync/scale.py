"""Gradient sync on more GPUs: efficiency by named definition, time by part and by algorithm, networks, stragglers."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.gradient_sync import DEFINITIONS
from core.calculators.gradient_sync import answer as price
from core.calculators.gradient_sync.compare import (
    INFINIBAND_COST_FACTOR,
    ROCE_PAYLOAD,
    by_algorithm,
    by_network,
    powers_of_two,
)
from core.checks import InputError
from core.collectives.cost_model import CostModelError
from core.parallel.grow import enough
from core.parallel.stragglers import wait_s
from core.systems import NETWORKS, configure
from core.units import US, format_size, format_time
from pages.ui.shared import bound, charts, tables
from pages.ui.shared.messages import plain

MOST_GPUS = 32_768
VIEWS = ("efficiency", "time", "algorithm")
PARTS = {"launch_s": "launch", "latency_s": "latency", "transfer_s": "transfer", "reduction_s": "reduction"}
PERCENTILES = (0.5, 0.9, 0.99)
FEWEST_DOMAINS = 8


@lru_cache(maxsize=64)
def _grown(asked):
    """The same job on 2 to 32,768 GPUs, every one a rank; where it cannot be, the row is missing."""
    found = {}
    for gpus in powers_of_two(2, MOST_GPUS):
        try:
            found[gpus] = price(
                replace(asked, system=enough(asked.system, gpus), ranks=gpus, shard_ranks=None)
            )
        except InputError:
            continue
    return found


@lru_cache(maxsize=64)
def _algorithms(asked, size_bytes):
    """All-reduce of one message by every algorithm that applies, 2 to 32,768 GPUs."""
    rows = []
    for gpus in powers_of_two(2, MOST_GPUS):
        try:
            sweeps = by_algorithm(replace(asked, system=enough(asked.system, gpus), ranks=gpus), [size_bytes])
        except (InputError, CostModelError):
            continue
        rows += [(gpus, name, float(one.time_s[0])) for name, one in sweeps.items()]
    return pd.DataFrame(rows, columns=["gpus", "algorithm", "time_s"])


def scale(asked, found):
    """Draw the view that is chosen."""
    grown = _grown(asked)
    view = bound.switch("Show", "scale_view", VIEWS, hidden=True)
    if len(grown) < 2:
        st.info("This machine has no network: name one under *Domains, network, NICs* to see it grow.")
        return
    here = pd.DataFrame({"gpus": [asked.world]})
    if view == "time":
        rows = [(gpus, name, getattr(one, key)) for gpus, one in grown.items() for key, name in PARTS.items()]
        frame = pd.DataFrame(rows, columns=["gpus", "part", "time_s"])
        charts.draw(_time_spec(), "Communication of a step by part, over GPUs", rows=frame, here=here)
        st.caption("All messages of a step as whole ones, one after the other; hidden or not.")
    elif view == "algorithm":
        size = found.bucket_bytes or found.gradient_bytes
        frame = _algorithms(asked, size)
        charts.draw(_algorithm_spec(), "All-reduce time by algorithm, over GPUs", rows=frame, here=here)
        what = "one bucket" if found.bucket_bytes else "all gradients"
        st.caption(f"An all-reduce of {what} ({format_size(size)}), by algorithm.")
    else:
        _efficiency(grown, here)


def _efficiency(grown, here):
    titles = {one.title: name for name, one in DEFINITIONS.items()}
    chosen = bound.choice("Definition", "definition", titles, "compute share of the step")
    rows = [
        (
            gpus,
            one.efficiency[titles[chosen]],
            one.exposed_s,
            one.step_s,
            one.tokens_per_s or 0.0,
            one.mfu or 0.0,
        )
        for gpus, one in grown.items()
        if one.efficiency
    ]
    if not rows:
        st.info("Efficiency needs compute: tokens per rank with a share of the peak, or a backward time.")
        return
    frame = pd.DataFrame(rows, columns=["gpus", "efficiency", "exposed_s", "step_s", "tokens", "mfu"])
    charts.draw(_efficiency_spec(), f"Scaling efficiency ({chosen}) over GPUs", rows=frame, here=here)
    st.caption("Every GPU a rank, tokens per rank unchanged (weak scaling).")


@lru_cache(maxsize=64)
def _networks(asked, names, payload, factor):
    factors = {name: factor for name in names if name.startswith("ib-")}
    try:
        return by_network(asked, names, roce_payload=payload, cost_factors=factors)
    except (InputError, CostModelError) as problem:
        return str(problem)


def networks(asked):
    """InfiniBand against RoCE and others: latency, payload and price set them apart."""
    left, middle, right = st.columns((2, 1, 1))
    with left:
        names = bound.several("Networks", "sync_networks", NETWORKS, ("ib-ndr", "roce-400"))
    with middle:
        payload = bound.number(
            "Payload of a RoCE line",
            "roce_payload",
            ROCE_PAYLOAD,
            low=0.01,
            high=1.0,
            step=0.005,
            format="%.3f",
            help="RoCE v2 at an MTU of 4,096 bytes: headers take the rest. An assumption.",
        )
    with right:
        factor = bound.number(
            "InfiniBand over Ethernet",
            "ib_cost_factor",
            INFINIBAND_COST_FACTOR,
            low=0.1,
            step=0.1,
            help="Price of a port. Sources say 1.5 to 2.5 and name no measurement: put your quote here.",
        )
    domains = max(asked.system.domains, -(-asked.world // asked.system.domain_gpus))
    gpus = asked.world
    if domains == 1:
        gpus = FEWEST_DOMAINS * asked.system.domain_gpus
    if not names:
        st.info("Name at least one network.")
        return
    nics = asked.system.nics_per_domain or asked.system.domain_gpus
    found = _networks(_across(asked, gpus, names[0], nics), tuple(names), payload, factor)
    if isinstance(found, str):
        st.info(plain(found))
        return
    frame = pd.DataFrame(
        {
            "network": one.name,
            "a step (µs)": one.latency_s / US,
            "payload (%)": 100 * one.payload_share,
            "all messages": format_time(one.answer.time_s),
            "exposed": format_time(one.answer.exposed_s),
            "slower (%)": 100 * (one.slowdown - 1),
            "port": one.cost_factor,
        }
        for one in found
    )
    columns = {
        "a step (µs)": st.column_config.NumberColumn(
            "latency (µs)", format="%.3g", help="Of one small message."
        ),
        "payload (%)": st.column_config.NumberColumn("payload (%)", format="%.1f"),
        "slower (%)": st.column_config.NumberColumn(
            "slower (%)", format="%.2g", help="The step, against the best."
        ),
        "port": st.column_config.NumberColumn("port price", format="%.2g ×"),
    }
    tables.show(frame, "Networks under the same job", columns, height="content")
    st.caption(
        f"The same job on {gpus:,} GPUs in {-(-gpus // asked.system.domain_gpus):,} domains, {nics} NICs each."
    )


def _across(asked, gpus, network, nics):
    """The job on so many GPUs, on a network in any case."""
    domains = -(-gpus // asked.system.domain_gpus)
    system = enough(asked.system, gpus) if asked.system.scale_out else None
    if system is None:
        system = configure(asked.system, domains=domains, network=network, nics_per_domain=nics)
    return replace(asked, system=system, ranks=gpus)


def efficiency(asked, found):
    """Scaling efficiency by each definition that tables mix, and waiting for the slowest rank by percentile."""
    if not found.efficiency:
        st.info("Efficiency needs compute: tokens per rank with a share of the peak, or a backward time.")
        return
    lines = [
        f"* **{100 * found.efficiency[key]:.2f} %** {one.title}: ${one.formula}$"
        for key, one in DEFINITIONS.items()
    ]
    st.markdown("\n".join(lines))
    st.caption("t with c: compute, x: exposed communication, o: the rest, here waiting for the slowest rank.")
    _stragglers(asked, found)


def _stragglers(asked, found):
    if not asked.spread:
        st.caption("Stragglers: give *Spread of backward between ranks* a share, such as 0.02.")
        return
    backward_s = asked.accumulation * found.backward_s
    waits = (
        (share, wait_s(backward_s, asked.spread, found.ranks, share))
        for share in sorted({*PERCENTILES, asked.percentile})
    )
    words = ", ".join(f"{format_time(seconds)} in {100 * share:g} % of steps" for share, seconds in waits)
    st.markdown(
        f"**Slowest of {found.ranks:,} ranks**, each with a deviation of {100 * asked.spread:g} % in backward: "
        f"at most {words} later than the average one. The step above counts {100 * asked.percentile:g} %."
    )


def _here(x):
    return alt.Chart(charts.rows("here")).mark_rule(strokeDash=[4, 4], color=charts.RED).encode(x=x)


def _gpus():
    return charts.counts_axis("gpus", "GPUs, every one a rank")


@lru_cache(maxsize=1)
def _efficiency_spec():
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=50), size=2)
        .encode(
            x=_gpus(),
            y=charts.share_axis("efficiency", "Scaling efficiency"),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs", format=","),
                alt.Tooltip("efficiency:Q", title="Efficiency", format=".2%"),
                charts.tip("exposed_s", "Exposed", "s"),
                charts.tip("step_s", "Step", "s"),
                alt.Tooltip("tokens:Q", title="Tokens/s", format=",.0f"),
                alt.Tooltip("mfu:Q", title="MFU", format=".1%"),
            ],
        )
    )
    return charts.spec(alt.layer(line, _here(_gpus())), height=300)


@lru_cache(maxsize=1)
def _time_spec():
    areas = (
        alt.Chart(charts.rows())
        .mark_area(opacity=0.85, line=True)
        .encode(
            x=_gpus(),
            y=alt.Y(
                "time_s:Q",
                title="Communication of a step (s)",
                stack="zero",
                axis=alt.Axis(tickCount=6, labelExpr="format(datum.value, '~s') + 's'", gridOpacity=0.35),
            ),
            color=alt.Color(
                "part:N", title=None, sort=list(PARTS.values()), legend=charts.legend(narrow=2, columns=4)
            ),
            order=alt.Order("part:O"),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs", format=","),
                alt.Tooltip("part:N", title="Part"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(alt.layer(areas, _here(_gpus())), height=340)


@lru_cache(maxsize=1)
def _algorithm_spec():
    lines = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=35), size=2)
        .encode(
            x=_gpus(),
            y=charts.log_axis("time_s", "All-reduce (s)", "s", axis=alt.Y),
            color=alt.Color("algorithm:N", title=None, sort=None, legend=charts.legend(columns=4, narrow=2)),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs", format=","),
                alt.Tooltip("algorithm:N", title="Algorithm"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(alt.layer(lines, _here(_gpus())), height=340)
