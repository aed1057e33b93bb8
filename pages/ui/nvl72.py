"""NVL72 page: inputs to a scenario, the answer in words, the charts."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.catalog import PRECISIONS, label
from core.checks import InputError
from core.nvl72 import Scenario, capacity, domain_rows, edge_steps, exchange_answer
from core.units import GB, MIB, TB, format_rate, format_size, format_time
from pages.ui import bound, charts, shape

OWN = "yours"
EDGES = (8, 16, 32, 64, 72, 144)


def question():
    """Model, formats, context and sequences."""
    model, chosen = shape.choose("rack_model", "deepseek-v3-r1", extra=(OWN,))
    params = active = None
    if chosen == OWN:
        params = bound.number("Parameters (10⁹)", "rack_params_b", 1800.0, low=0.0, step=100.0)
        active = bound.number("Active for a token (10⁹)", "rack_active_b", 280.0, low=0.0, step=10.0)
    fmt = bound.choice("Format of weights", "format", PRECISIONS, "fp8")
    kv = bound.choice("Format of KV cache", "rack_kv", PRECISIONS, "bf16")
    context = bound.number("Context (tokens)", "rack_context", 8192, low=0, step=1024)
    sequences = bound.number("Sequences at once", "sequences", 1024, low=0, step=64)
    return {
        "model": model,
        "params": None if params is None else params * 1e9,
        "active_params": None if active is None else active * 1e9,
        "fmt": PRECISIONS[fmt],
        "kv": PRECISIONS[kv],
        "context": context,
        "sequences": sequences,
    }


def layout():
    """GPUs and how the model is spread over them."""
    with st.expander("GPUs and layout", icon=":material/grid_view:"):
        gpus = bound.number("GPUs", "rack_gpus", None, low=1, step=1, help="Empty: one whole domain.")
        tp = bound.number(
            "Tensor parallel", "rack_tp", None, low=1, step=1, help="Empty: as wide as the heads allow."
        )
        pp = bound.number("Pipeline stages", "rack_pp", 1, low=1, step=1)
        dp = bound.number("Copies of attention", "rack_dp", None, low=1, step=1, help="Empty: what is left.")
        ep = bound.number("Expert parallel", "rack_ep", None, low=1, step=1, help="Empty: all of a stage.")
        usable = bound.number("Share of memory usable", "usable", 0.9, low=0.01, high=1.0, step=0.05)
        hbm = bound.number("Memory of a GPU (GB)", "hbm_gb", None, low=0.001, help="Empty: the catalog's.")
        reserve = bound.number("Runtime reserve per GPU (GB)", "reserve_gb", 0.0, low=0.0, step=1.0)
    return {
        "gpus": gpus,
        "tp": tp,
        "pp": pp,
        "dp": dp,
        "ep": ep,
        "usable": usable,
        "hbm_bytes": None if hbm is None else hbm * GB,
        "reserve_bytes": reserve * GB,
    }


def scenario(asked, system, chosen, spread):
    """The whole question."""
    whole = Scenario(system=system, **{**asked, "model": asked["model"]()}, **spread)
    return replace(whole, rates=chosen.on(system, whole.used_gpus))


@lru_cache(maxsize=64)
def ask(asked):
    """The answer."""
    return capacity(asked)


def verdict(found):
    """Does it fit, what limits it, and at which size or count that changes."""
    asked = found.scenario
    state = "leaves" if found.fits else "is short of"
    reason = (
        f"**{found.limiting_part}** limits. A GPU holds {format_size(found.used_bytes_per_gpu)} of "
        f"{format_size(asked.limit_bytes)} usable and {state} {format_size(abs(found.free_bytes_per_gpu))}."
    )
    words = [f"One copy of the weights takes {found.minimum_gpus:,} GPUs at least."]
    if found.exact_fit:
        words.append("That fits exactly, with nothing left.")
    if found.max_sequences is not None:
        words.append(f"It stops fitting above {found.max_sequences:,} sequences of {asked.context:,} tokens.")
    words.append(
        f"Without a cache {found.largest_params / 1e9:,.0f} · 10⁹ parameters would fit in {asked.fmt.name}."
    )
    return found.headline, reason, " ".join(words)


def yours(found):
    """Whether the model came from the reader."""
    return found.scenario.model is None or found.scenario.model.yours


def note(found):
    """How far the model's figures can be trusted."""
    return label(found.scenario.model) if found.scenario.model else "yours"


def figures(found):
    """Secondary numbers, both conventions of the fabric named."""
    fabric = found.fabric
    one_way = format_rate(fabric.bisection_one_way_bytes_per_s)
    return [
        ("Memory, all GPUs", format_size(found.total_bytes)),
        ("Weights", format_size(found.weights_bytes)),
        ("KV per token", "–" if found.kv_bytes_per_token is None else format_size(found.kv_bytes_per_token)),
        (
            "Aggregate",
            format_rate(fabric.aggregate_both_ways_bytes_per_s),
            "All GPUs, both directions, as printed.",
        ),
        (
            "Bisection",
            format_rate(fabric.bisection_both_ways_bytes_per_s),
            f"Both directions; one way {one_way}.",
        ),
        (
            "Decode floor",
            format_time(found.decode_floor_s),
            "Reading what one token needs from all memory at once.",
        ),
        ("Dense floor", format_time(found.dense_floor_s), "Large batches reach every expert."),
    ]


def parts(found):
    """What each GPU holds, against what it may."""
    rows = [(one.name, one.bytes, one.kind, order) for order, one in enumerate(found.parts)]
    frame = pd.DataFrame(rows, columns=["part", "bytes", "kind", "order"])
    frame["gpu"] = "fullest GPU"
    limit = pd.DataFrame(
        {
            "bytes": [found.scenario.limit_bytes, found.scenario.memory_bytes],
            "what": ["usable", "all memory"],
        }
    )
    charts.draw(
        _parts_spec(), "Memory of the fullest GPU by part, against the limit", rows=frame, limit=limit
    )


def domains(found):
    """The same GPU in domains of every size: how large a model they hold."""
    asked = found.scenario
    formats = tuple(PRECISIONS[key] for key in ("bf16", "fp8", "nvfp4"))
    rate = asked.system.scale_up.bytes_per_s
    rows = domain_rows(asked.system.gpu, formats, usable=asked.usable, one_way_bytes_per_s=rate)
    frame = pd.DataFrame((one.gpus, key, value) for one in rows for key, value in one.largest_params.items())
    frame.columns = ["gpus", "format", "params"]
    name = asked.model.name if asked.model else "yours"
    model = pd.DataFrame([(asked.values, name)], columns=["params", "name"])  # noqa: PD011 (no frame)
    charts.draw(_domains_spec(), "Largest model by domain size and format", rows=frame, model=model)


@lru_cache(maxsize=32)
def _edges(system, rates):
    return edge_steps((system,), EDGES, MIB, rates)


def edge(found):
    """What leaving the domain costs: all-to-all of one MiB in groups that do and do not fit."""
    asked = found.scenario
    steps = _edges(asked.system, replace(asked.rates, points=()))
    if not steps:
        st.info("No group of these sizes can be priced on this machine.")
        return
    rows = []
    for one in steps:
        place = "inside the domain" if one.domains == 1 else "across domains"
        rows += [
            (one.group, "all-to-all", one.all_to_all_s, place),
            (one.group, "all-reduce", one.all_reduce_s, place),
        ]
    frame = pd.DataFrame(rows, columns=["group", "collective", "time_s", "place"])
    charts.draw(_edge_spec(), "Time of one MiB by group size, inside and across the domain", rows=frame)


def exchange(found):
    """The experts' exchange of one step."""
    asked = found.scenario
    if asked.model is None or not asked.model.moe or asked.model.hidden is None:
        return
    tokens = max(1.0, asked.sequences / max(1, asked.used_gpus))
    try:
        told = exchange_answer(asked, tokens)
    except InputError as problem:
        st.info(str(problem))
        return
    st.markdown(
        f"**Expert exchange.** With {tokens:,.3g} tokens a GPU over EP{told.ep}, dispatch and combine of one layer take "
        f"{format_time(told.layer_s)} ({format_time(told.low_s)} to {format_time(told.high_s)}), all layers of a step "
        f"{format_time(told.step_s)}; {100 * told.leaving_share:.0f} % of the bytes leave the domain."
    )


@lru_cache(maxsize=1)
def _parts_spec():
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(height=46)
        .encode(
            x=charts.linear_axis("bytes", "Memory of the fullest GPU (bytes)", "B", axis=alt.X),
            y=alt.Y("gpu:N", title=None, axis=None),
            color=alt.Color("part:N", title=None, sort=None, legend=charts.legend(columns=1)),
            order=alt.Order("order:O"),
            tooltip=[
                alt.Tooltip("part:N", title="Part"),
                alt.Tooltip("kind:N", title="Kind"),
                charts.tip("bytes", "Size", "bytes"),
            ],
        )
    )
    limit = alt.Chart(charts.rows("limit"))
    rule = limit.mark_rule(strokeDash=[5, 4], size=2, color=charts.RED).encode(x="bytes:Q", tooltip="what:N")
    name = limit.mark_text(angle=270, dx=46, dy=-6, align="left", fontSize=11, color=charts.RED).encode(
        x="bytes:Q", text="what:N"
    )
    return charts.spec(alt.layer(bars, rule, name), height=330)


@lru_cache(maxsize=1)
def _domains_spec():
    lines = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=50), size=2)
        .encode(
            x=charts.counts_axis("gpus", "GPUs in one domain"),
            y=charts.log_axis("params", "Largest model (parameters)", "", axis=alt.Y),
            color=alt.Color("format:N", title=None, sort=None, legend=charts.legend()),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs"),
                alt.Tooltip("format:N", title="Format"),
                charts.tip("params", "Parameters"),
            ],
        )
    )
    model = alt.Chart(charts.rows("model"))
    y = charts.log_axis("params", "Largest model (parameters)", "", axis=alt.Y)
    rule = model.mark_rule(strokeDash=[5, 4], color=charts.RED).encode(y=y)
    name = model.mark_text(align="left", dx=4, dy=-6, color=charts.RED).encode(
        x=alt.value(0), y=y, text="name:N"
    )
    return charts.spec(alt.layer(lines, rule, name))


@lru_cache(maxsize=1)
def _edge_spec():
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            x=alt.X("group:O", title="GPUs in the group", axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("collective:N", sort=None),
            y=charts.linear_axis("time_s", "Time of 1 MiB (s)", "s"),
            color=alt.Color("collective:N", title=None, sort=None, legend=charts.legend()),
            opacity=alt.Opacity(
                "place:N",
                scale=alt.Scale(domain=["inside the domain", "across domains"], range=[1, 0.45]),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("group:O", title="GPUs"),
                alt.Tooltip("collective:N", title="Collective"),
                alt.Tooltip("place:N", title="Where"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(bars)


def table(found):
    """Every part and figure as a row."""
    rows = [(one.name, f"{one.bytes / GB:,.3f} GB per GPU", one.kind) for one in found.parts]
    fabric = found.fabric
    rows += [
        ("used per GPU", f"{found.used_bytes_per_gpu / GB:,.3f} GB", "sum"),
        ("free per GPU", f"{found.free_bytes_per_gpu / GB:,.3f} GB", "left"),
        (
            "aggregate, both ways",
            f"{fabric.aggregate_both_ways_bytes_per_s / TB:,.1f} TB/s",
            "as printed for NVL72",
        ),
        ("aggregate, one way", f"{fabric.aggregate_one_way_bytes_per_s / TB:,.1f} TB/s", ""),
        (
            "bisection, both ways",
            f"{fabric.bisection_both_ways_bytes_per_s / TB:,.1f} TB/s",
            "as printed for DGX H100",
        ),
        ("bisection, one way", f"{fabric.bisection_one_way_bytes_per_s / TB:,.1f} TB/s", ""),
        ("memory rate, all GPUs", f"{fabric.hbm_bytes_per_s / TB:,.1f} TB/s", "shared by reads and writes"),
    ]
    if found.expert_slots is not None:
        spread = found.expert_slots
        rows.append(
            (
                "expert slots",
                f"{spread.per_gpu} per GPU, {spread.total} in all",
                f"{spread.redundant} redundant",
            )
        )
    return pd.DataFrame(rows, columns=["what", "value", "kind"])
