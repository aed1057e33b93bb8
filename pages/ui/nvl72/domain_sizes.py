"""NVL72 page: the same model in domains of every size, what a GPU holds and how large a model fits."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.capacity import capacity, domain_rows
from core.calculators.capacity.domains import PRESETS
from core.catalog import PRECISIONS
from core.checks import InputError
from core.units import GB, TB, format_time
from pages.ui.shared import bound, charts, tables

FORMATS = ("bf16", "fp8", "nvfp4", "mxfp4")
DRAWN = FORMATS[:3]
SHORT = {"attention, dense MLP, shared experts": "attention, dense, shared"}
BILLIONS = "replace(format(datum.value, '~s'), 'G', 'B')"
BAR, FRAME = 30, 120


def question():
    """A domain size beside the usual ones."""
    help_ = "Beside 8, 36, 72, 144, 256 and 576: any other number of GPUs in one domain."
    with st.columns([1, 3])[0]:
        return bound.number("Another domain size (GPUs)", "other_domain", None, low=1, step=1, help=help_)


def sizes(found, other):
    """Domain sizes shown: the usual, this machine's, the layout's and the reader's."""
    asked = found.scenario
    own = (asked.system.domain_gpus, asked.used_gpus, *([other] if other else []))
    return tuple(sorted({*PRESETS, *own}))


@lru_cache(maxsize=64)
def _laid_out(asked, count):
    """The same question in one domain of ``count`` GPUs, laid out for the most sequences; None where it cannot be."""
    system = replace(asked.system, domain_gpus=count, domains=1)
    try:
        return capacity(replace(asked, system=system, gpus=count, tp=None, dp=None, ep=None))
    except InputError:
        return None


def _of(found, count):
    """The answer for one size: the layout asked for where it has that size."""
    return found if count == found.scenario.used_gpus else _laid_out(found.scenario, count)


def _name(found, count):
    return f"{count} GPUs, as asked" if count == found.scenario.used_gpus else f"{count} GPUs"


def bars(found, counts):
    """What the fullest GPU holds, part by part, in a domain of each size, against the limit."""
    rows = []
    for count in counts:
        one = _of(found, count)
        if one is None:
            continue
        fits = "fits" if one.fits else "does not fit"
        rows += [
            (_name(found, count), SHORT.get(part.name, part.name), part.bytes, part.kind, order, fits)
            for order, part in enumerate(one.parts)
        ]
    frame = pd.DataFrame(rows, columns=["domain", "part", "bytes", "kind", "order", "fits"])
    limits = [(found.scenario.limit_bytes, "usable"), (found.scenario.memory_bytes, "all memory")]
    limit = pd.DataFrame(limits, columns=["bytes", "what"])
    names = tuple(dict.fromkeys(frame["domain"]))
    words = "Memory of the fullest GPU by part, for domains of every size, against the limit"
    charts.draw(_bars_spec(names), words, rows=frame, limit=limit)


def largest(found, counts):
    """How large a model each size holds, by format."""
    rows = _rows(found, counts)
    frame = pd.DataFrame(
        [(one.gpus, key.upper(), one.largest_params[key]) for one in rows for key in DRAWN],
        columns=["gpus", "format", "params"],
    )
    asked = found.scenario
    name = asked.model.name if asked.model else "yours"
    model = pd.DataFrame([(asked.values, name)], columns=["params", "name"])  # noqa: PD011 (no frame)
    charts.draw(_largest_spec(), "Largest model by domain size and format", rows=frame, model=model)


def _rows(found, counts):
    asked = found.scenario
    gpu = replace(asked.system.gpu, memory_bytes=asked.memory_bytes)
    return domain_rows(
        gpu,
        tuple(PRECISIONS[key] for key in FORMATS),
        sizes=counts,
        usable=asked.usable,
        one_way_bytes_per_s=asked.system.scale_up.bytes_per_s,
    )


def table(found, counts):
    """Every size as a row: memory, fabric in both conventions, largest model, floor, sequences."""
    active_bytes = found.decode_floor_s * found.fabric.hbm_bytes_per_s
    rows = []
    for row in _rows(found, counts):
        one, fabric = _of(found, row.gpus), row.fabric
        rows.append(
            {
                "GPUs": f"{row.gpus}{', asked' if row.gpus == found.scenario.used_gpus else ''}",
                "memory": f"{row.hbm_bytes / TB:,.2f} TB",
                "aggregate (TB/s)": _rates(
                    fabric.aggregate_both_ways_bytes_per_s, fabric.aggregate_one_way_bytes_per_s
                ),
                "bisection (TB/s)": _rates(
                    fabric.bisection_both_ways_bytes_per_s, fabric.bisection_one_way_bytes_per_s
                ),
                **{
                    f"{key.upper()} (10⁹)": f"{value / 1e9:,.0f}" for key, value in row.largest_params.items()
                },
                "floor": format_time(active_bytes / fabric.hbm_bytes_per_s),
                "TP × DP": "–" if one is None else f"{one.scenario.attention_tp} × {one.scenario.replicas}",
                "free": "–" if one is None else f"{one.free_bytes_per_gpu / GB:,.0f} GB",
                "sequences": "–" if one is None or one.max_sequences is None else f"{one.max_sequences:,}",
            }
        )
    tables.show(pd.DataFrame(rows), "Domains of every size", height="content")
    st.caption(
        "Aggregate and bisection: both ways as printed, then one way. Formats: parameters of the largest model whose "
        "weights alone fit. Floor: reading the weights of one token from all memory at once. Free (of a GPU) and "
        "sequences: with this question's cache, attention laid out for the most sequences, but for the size asked."
    )


def better(found):
    """The layout that would hold more sequences on the same GPUs, where there is one."""
    one = _laid_out(found.scenario, found.scenario.used_gpus)
    if (
        one is None
        or not one.fits
        or not one.max_sequences
        or one.max_sequences <= (found.max_sequences or 0)
    ):
        return
    layout = one.scenario
    st.info(
        f"Attention over TP{layout.attention_tp} in {layout.replicas:,} copies would hold {one.max_sequences:,} sequences "
        f"on these {layout.used_gpus} GPUs; asked as TP{found.scenario.attention_tp} it is {found.max_sequences or 0:,}.",
        icon=":material/lightbulb:",
    )


def _rates(both, one_way):
    return f"{both / TB:,.1f} | {one_way / TB:,.1f}"


@lru_cache(maxsize=64)
def _bars_spec(names):
    y = alt.Y("domain:N", title=None, sort=list(names), axis=alt.Axis(labelLimit=130, labelOverlap=False))
    stacked = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadius=1)
        .encode(
            x=charts.linear_axis("bytes", "Memory of the fullest GPU (bytes)", "B", axis=alt.X),
            y=y,
            color=alt.Color("part:N", title=None, sort=None, legend=charts.legend(columns=2)),
            opacity=alt.Opacity(
                "fits:O", scale=alt.Scale(domain=["fits", "does not fit"], range=[1, 0.35]), legend=None
            ),
            order=alt.Order("order:O"),
            tooltip=[
                alt.Tooltip("domain:N", title="Domain"),
                alt.Tooltip("part:N", title="Part"),
                alt.Tooltip("kind:N", title="Kind"),
                charts.tip("bytes", "Size", "bytes"),
                alt.Tooltip("fits:N", title="Memory"),
            ],
        )
    )
    rule = (
        alt.Chart(charts.rows("limit"))
        .mark_rule(strokeDash=[5, 4], size=2, color=charts.RED)
        .encode(
            x="bytes:Q", tooltip=[alt.Tooltip("what:N", title="Limit"), charts.tip("bytes", "Size", "bytes")]
        )
    )
    return charts.spec(alt.layer(stacked, rule), height=BAR * len(names) + FRAME)


@lru_cache(maxsize=1)
def _largest_spec():
    style = alt.Axis(tickCount=6, gridOpacity=0.35, labelOverlap="greedy", labelExpr=BILLIONS)
    scale = alt.Scale(type="log", nice=False)
    y = alt.Y("params:Q", title="Largest model (parameters)", scale=scale, axis=style)
    lines = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=50), size=2)
        .encode(
            x=alt.X(
                "gpus:Q",
                title="GPUs in one domain",
                scale=alt.Scale(type="log", base=2, nice=False),
                axis=alt.Axis(values=[*PRESETS, 16, 1152], gridOpacity=0.35, labelOverlap="greedy"),
            ),
            y=y,
            color=alt.Color("format:N", title=None, sort=None, legend=charts.legend()),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs"),
                alt.Tooltip("format:N", title="Format"),
                charts.tip("params", "Parameters"),
            ],
        )
    )
    model = alt.Chart(charts.rows("model"))
    rule = model.mark_rule(strokeDash=[5, 4], color=charts.RED).encode(y=y)
    name = model.mark_text(align="right", dx=-4, dy=-7, color=charts.RED).encode(
        x=alt.value("width"), y=y, text="name:N"
    )
    return charts.spec(alt.layer(lines, rule, name))
