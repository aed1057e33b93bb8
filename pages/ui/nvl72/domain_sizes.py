"""The same model in scale-up domains of every size: memory per GPU by part, and the largest model that fits."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.capacity import Capacity, DomainRow, Scenario, capacity, domain_rows
from core.calculators.capacity.domains import PRESETS
from core.catalog import PRECISIONS
from core.checks import InputError
from core.units import TB, format_memory, format_time
from pages.ui.nvl72.summary import parameters
from pages.ui.shared import charts, findings, palette, tables

FORMATS = ("bf16", "fp8", "nvfp4", "mxfp4")
DRAWN = FORMATS[:3]
SHORT = {"attention, dense MLP, shared experts": "attention, dense, shared"}
BILLIONS = "replace(format(datum.value, '~s'), 'G', 'B')"
BAR, FRAME = 30, 90


def sizes(result: Capacity, other: int | None) -> tuple[int, ...]:
    """Domain sizes shown: the usual, this system's, the layout's and the reader's."""
    scenario = result.scenario
    inside = min(scenario.used_gpus, scenario.system.domain_gpus)
    own = (scenario.system.domain_gpus, inside, *([other] if other else []))
    return tuple(sorted({*PRESETS, *own}))


@lru_cache(maxsize=64)
def _laid_out(scenario: Scenario, gpus: int) -> Capacity | None:
    """The scenario in one domain of ``gpus`` GPUs, laid out for the most requests; None where it cannot be."""
    system = replace(scenario.system, domain_gpus=gpus, domains=1)
    try:
        return capacity(replace(scenario, system=system, gpus=gpus, tp=None, dp=None, ep=None))
    except InputError:
        return None


def _here(result: Capacity, gpus: int) -> bool:
    """Whether the page's own layout fills one domain of that size; several domains are no row here."""
    return gpus == result.scenario.used_gpus <= result.scenario.system.domain_gpus


def _of(result: Capacity, gpus: int) -> Capacity | None:
    """The answer for one size: the page's own layout where it has that size."""
    return result if _here(result, gpus) else _laid_out(result.scenario, gpus)


def _name(result: Capacity, gpus: int) -> str:
    return f"{gpus} GPUs (here)" if _here(result, gpus) else f"{gpus} GPUs"


def bars(result: Capacity, sizes: tuple[int, ...]) -> None:
    """Memory of the fullest GPU by part for every domain size, against the limit."""
    rows = []
    for gpus in sizes:
        laid_out = _of(result, gpus)
        if laid_out is None:
            continue
        fits = "fits" if laid_out.fits else "does not fit"
        rows += [
            (_name(result, gpus), SHORT.get(part.name, part.name), part.bytes, part.kind, order, fits)
            for order, part in enumerate(laid_out.parts)
        ]
    frame = pd.DataFrame(rows, columns=["domain", "part", "bytes", "kind", "order", "fits"])
    limits = [(result.scenario.limit_bytes, "usable"), (result.scenario.memory_bytes, "all memory")]
    limit = pd.DataFrame(limits, columns=["bytes", "what"])
    domains = tuple(dict.fromkeys(frame["domain"]))
    totals = frame.groupby("domain", sort=False)["bytes"].sum()
    used = findings.listed(totals.index, totals, format_memory)
    usable = format_memory(result.scenario.limit_bytes)
    description = f"Memory of the fullest GPU by part vs domain size, against {usable} usable: {used}"
    charts.draw(_bars_spec(domains), description, rows=frame, limit=limit)


def largest(result: Capacity, sizes: tuple[int, ...]) -> None:
    """The largest model that each domain size holds, by weight precision."""
    frame = pd.DataFrame(
        [
            (row.gpus, key.upper(), row.largest_params[key], parameters(row.largest_params[key]))
            for row in _rows(result, sizes)
            for key in DRAWN
        ],
        columns=["gpus", "format", "params", "label"],
    )
    scenario = result.scenario
    name = scenario.model.name if scenario.model else "custom model"
    model = pd.DataFrame([(scenario.values, name)], columns=["params", "name"])  # noqa: PD011 (no frame)
    grows = findings.ends(frame, "format", "gpus", "params", parameters)
    description = f"Largest model vs domain size by weight precision: {grows}"
    charts.draw(_largest_spec(), description, rows=frame, model=model)


def _rows(result: Capacity, sizes: tuple[int, ...]) -> tuple[DomainRow, ...]:
    scenario = result.scenario
    gpu = replace(scenario.system.gpu, memory_bytes=scenario.memory_bytes)
    return domain_rows(
        gpu,
        tuple(PRECISIONS[key] for key in FORMATS),
        sizes=sizes,
        usable=scenario.usable,
        one_way_bytes_per_s=scenario.system.scale_up.bytes_per_s,
    )


def table(result: Capacity, sizes: tuple[int, ...]) -> None:
    """Every size as a row: memory, fabric in both conventions, largest model, TPOT floor, concurrency."""
    rows = [_table_row(result, row) for row in _rows(result, sizes)]
    tables.show(pd.DataFrame(rows), "Scale-up domains by size", height="content")
    st.caption(
        "Aggregate and bisection bandwidth: bidirectional | unidirectional. BF16 to MXFP4: the largest model whose weights "
        "alone fit. TPOT floor: one request, reading the active weights from all HBM. Free memory and requests: in the "
        "layout with the most requests; here: this layout."
    )


def _table_row(result: Capacity, row: DomainRow) -> dict[str, str]:
    laid_out, fabric = _of(result, row.gpus), row.fabric
    active_bytes = result.decode_floor_s * result.fabric.hbm_bytes_per_s
    here = _here(result, row.gpus)
    requests = None if laid_out is None else laid_out.max_sequences
    return {
        "GPUs": f"{row.gpus}{' (here)' if here else ''}",
        "memory": format_memory(row.hbm_bytes),
        "aggregate (TB/s)": _both(
            fabric.aggregate_both_ways_bytes_per_s, fabric.aggregate_one_way_bytes_per_s
        ),
        "bisection (TB/s)": _both(
            fabric.bisection_both_ways_bytes_per_s, fabric.bisection_one_way_bytes_per_s
        ),
        **{key.upper(): parameters(count) for key, count in row.largest_params.items()},
        "TPOT floor, batch 1": format_time(active_bytes / fabric.hbm_bytes_per_s),
        "layout": "–" if laid_out is None else laid_out.scenario.layout,
        "free": "–" if laid_out is None else _signed(laid_out.free_bytes_per_gpu),
        "requests": "–" if requests is None else f"{requests:,}",
    }


def _signed(size_bytes: float) -> str:
    return f"{'−' if size_bytes < 0 else ''}{format_memory(abs(size_bytes))}"


def _both(bidirectional: float, unidirectional: float) -> str:
    return f"{bidirectional / TB:,.1f} | {unidirectional / TB:,.1f}"


def better(result: Capacity) -> None:
    """The layout that would serve more concurrent requests on the same GPUs, where there is one."""
    if not _here(result, result.scenario.used_gpus):
        return
    best = _laid_out(result.scenario, result.scenario.used_gpus)
    current = result.max_sequences or 0
    if best is None or not best.fits or not best.max_sequences or best.max_sequences <= current:
        return
    layout = best.scenario
    st.info(
        f"TP{layout.attention_tp} with DP attention of {layout.replicas:,} would hold {best.max_sequences:,} concurrent "
        f"requests on these {layout.used_gpus} GPUs; TP{result.scenario.attention_tp} as chosen holds {current:,}.",
        icon=":material/lightbulb:",
    )


@lru_cache(maxsize=64)
def _bars_spec(domains: tuple[str, ...]) -> charts.Spec:
    y = alt.Y("domain:N", title=None, sort=list(domains), axis=alt.Axis(labelLimit=150, labelOverlap=False))
    fits = alt.Scale(domain=["fits", "does not fit"], range=[1, 0.35])
    stacked = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadius=1)
        .encode(
            x=charts.linear_axis("bytes", "Memory of the fullest GPU", "B", axis=alt.X),
            y=y,
            color=alt.Color("part:N", title=None, sort=None, legend=charts.legend(columns=2)),
            opacity=alt.Opacity("fits:O", scale=fits, legend=None),
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
            x="bytes:Q",
            tooltip=[alt.Tooltip("what:N", title="Limit"), charts.tip("bytes", "Size", "bytes")],
        )
    )
    named = (
        alt.Chart(charts.rows("limit"))
        .mark_text(angle=270, align="left", dx=4, dy=-6, fontSize=10.5, color=palette.RED_LABEL)
        .encode(x="bytes:Q", y=alt.value("height"), text="what:N")
    )
    return charts.spec(alt.layer(stacked, rule, named), height=BAR * len(domains) + FRAME)


@lru_cache(maxsize=1)
def _largest_spec() -> charts.Spec:
    y = charts.log_axis("params", "Largest model (parameters)", "", axis=alt.Y, label=BILLIONS)
    x = alt.X(
        "gpus:Q",
        title="GPUs in one domain",
        scale=alt.Scale(type="log", base=2, nice=False),
        axis=alt.Axis(values=[*PRESETS, 16, 1152], gridOpacity=0.35, labelOverlap="greedy"),
    )
    lines = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=50), size=2)
        .encode(
            x=x,
            y=y,
            color=alt.Color("format:N", title=None, sort=None, legend=None),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs"),
                alt.Tooltip("format:N", title="Weight precision"),
                alt.Tooltip("label:N", title="Parameters"),
            ],
        )
    )
    model = alt.Chart(charts.rows("model"))
    rule = model.mark_rule(strokeDash=[5, 4], color=charts.RED).encode(y=y)
    name = model.mark_text(align="right", dx=-4, dy=-7, color=palette.RED_LABEL).encode(
        x=alt.value("width"), y=y, text="name:N"
    )
    return charts.spec(alt.layer(lines, rule, name, *charts.names(len(DRAWN), "gpus", "params", "format")))
