"""Charts of the page Collectives: bus bandwidth, time by algorithm, time by cause."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.catalog import CURVES
from core.collectives.formulas import busbw_factor
from core.collectives.pricing import Scenario, Sweep
from core.collectives.pricing.placement import placement_of
from core.collectives.rates import Rates
from core.provenance import Origin
from core.units import format_share, format_size
from pages.ui.collectives.summary import Result, title
from pages.ui.shared import answered, bound, charts, findings, names, overlay, palette

PARTS = ("launch", "latency", "transfer", "reduction")


def busbw(scenario: Scenario, result: Result) -> None:
    """Bus bandwidth or time vs message size with prediction interval, algorithm regions and ceilings."""
    if scenario.ranks == 1:
        st.info("Bus bandwidth is undefined for one rank.")
        return
    operation = title(scenario.collective)
    curves = overlay.curve(
        result.sweep, scenario.collective, scenario.ranks, f"model, {answered.series(result.sweep.rates)}"
    )
    if bound.switch("Show", "show", ("bus bandwidth", "time"), hidden=True) == "time":
        description = f"{operation} time vs message size with its prediction interval"
        overlay.draw_times(description, curves=curves, points=published(scenario))
        return
    overlay.draw(
        f"{operation} bus bandwidth vs message size with prediction interval, algorithm regions and ceilings",
        curves=curves,
        region=overlay.regions(result.sweep, _crossovers(result)),
        ceiling=overlay.ceilings(ceilings(scenario)),
        points=published(scenario),
    )
    st.caption(
        "Dashed lines are ceilings; shaded: prediction interval, p10 to p90. In-switch reduction and, with two domains, "
        "trees may exceed the unidirectional link rate, because bus bandwidth assumes a ring."
    )


def _crossovers(result: Result) -> list[float]:
    """Message sizes at which another algorithm becomes fastest."""
    return [crossover.value for crossover in result.answer.crossovers if crossover.input == "size_bytes"]


def published(scenario: Scenario) -> pd.DataFrame:
    """Published measurements of the same system and ranks, as points."""
    return _published(scenario.system.id, scenario.ranks, scenario.collective)


@lru_cache(maxsize=64)
def _published(system: str, ranks: int, collective: str) -> pd.DataFrame:
    frames = []
    for curve in CURVES:
        if (curve.system, curve.ranks, collective) == (system, ranks, "all_reduce"):
            frame = pd.DataFrame(curve.points, columns=["size_bytes", "busbw"])
            moved_bytes = float(busbw_factor(collective, ranks)) * frame["size_bytes"]
            frames.append(
                frame.assign(
                    time_s=moved_bytes / frame["busbw"],
                    series=f"measured, {curve.tool}",
                    placement="published",
                )
            )
    return pd.concat(frames, ignore_index=True) if frames else overlay.no_points()


def ceilings(scenario: Scenario) -> list[overlay.Ceiling]:
    """The ceilings: inside a domain the datasheet's figures, across domains the NICs and the scale-up link."""
    location = placement_of(replace(scenario, rates=Rates(Origin.SPEC)))
    link = location.inner.bytes_per_s
    if location.outer is None:
        return [
            overlay.Ceiling("bidirectional link rate (datasheet)", 2 * link),
            overlay.Ceiling("unidirectional link rate", link),
        ]
    nics = location.outer.bytes_per_s * location.local_ranks
    return [
        overlay.Ceiling("NICs of a domain, unidirectional", nics),
        overlay.Ceiling("scale-up link, unidirectional", link),
    ]


def times(result: Result, algorithms: Mapping[str, Sweep]) -> None:
    """Time vs message size, one line an algorithm."""
    if not np.any(result.sweep.time_s > 0):
        st.info("Nothing has to move, whichever the algorithm.")
        return
    frames = [
        pd.DataFrame(
            {"size_bytes": sweep.size_bytes, "time_s": sweep.time_s, "algorithm": names.algorithm(name)}
        )
        for name, sweep in algorithms.items()
    ]
    rows = pd.concat(frames, ignore_index=True)
    lead = findings.lead(rows, "algorithm", "size_bytes", "time_s", _size)
    charts.draw(_times_spec(), f"Time vs message size by algorithm, {lead}", rows=rows)


def _size(size_bytes: float) -> str:
    return format_size(2.0 ** round(np.log2(size_bytes)))


def parts(result: Result) -> None:
    """Share of the time by cause vs message size."""
    sweep = result.sweep
    if not np.any(sweep.time_s > 0):
        st.info("There is no time to share out.")
        return
    total_s = np.where(sweep.time_s > 0, sweep.time_s, 1.0)
    frames = [
        pd.DataFrame(
            {
                "size_bytes": sweep.size_bytes,
                "share": getattr(sweep, f"{part}_s") / total_s,
                "part": part,
                "order": order,
            }
        )
        for order, part in enumerate(PARTS)
    ]
    rows = pd.concat(frames, ignore_index=True)
    shares = findings.ends(rows, "part", "size_bytes", "share", format_share)
    text = f"Share of launch, latency, transfer and reduction vs message size: {shares}"
    charts.draw(_parts_spec(), text, rows=rows)


@lru_cache(maxsize=1)
def _times_spec() -> charts.Spec:
    chart = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=charts.size_axis("size_bytes", overlay.SIZE),
            y=charts.log_axis("time_s", "Time", "s", axis=alt.Y),
            color=alt.Color("algorithm:N", title=None, legend=charts.legend(columns=4)),
            tooltip=[
                alt.Tooltip("algorithm:N", title="Algorithm"),
                charts.tip("size_bytes", "Message size", "bytes"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(chart)


@lru_cache(maxsize=1)
def _parts_spec() -> charts.Spec:
    chart = (
        alt.Chart(charts.rows())
        .mark_area(opacity=0.85)
        .encode(
            x=charts.size_axis("size_bytes", overlay.SIZE),
            y=charts.share_axis("share", "Share of the time", stack="zero"),
            color=alt.Color(
                "part:N", title=None, scale=palette.scale(palette.COSTS.items()), legend=charts.legend()
            ),
            order=alt.Order("order:O"),
            tooltip=[
                alt.Tooltip("part:N", title="Part"),
                charts.tip("size_bytes", "Message size", "bytes"),
                charts.tip("share", "Share", "%"),
            ],
        )
    )
    return charts.spec(chart)
