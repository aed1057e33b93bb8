"""Reference: what others published by generation, so that a first visit has something to measure against."""

from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.catalog import GPUS
from core.catalog.reference import ALL_REDUCE, REFERENCES
from core.collectives.pricing import Scenario, sweep
from core.systems import CustomSystem, configure, custom_system
from core.units import GB, format_rate, format_size
from pages.ui.shared import answer, charts, overlay, tables

ALIKE = ("8 x H200", "8 x B300", "4 x GB300 (a tray)")
"""As their neighbours within some percent: left out of the curves, not of the figures."""
WIRE, MODEL = "of the one-way wire", "of the calibrated model"


def show(own=()):
    """
    Efficiency by generation, curves over size, and every figure with its source.

    Args:
        own: The reader's runs: (name, what, share of the wire, share of the model or None) each.
    """
    st.subheader("Efficiency by generation")
    frame = pd.concat([_own(own), _efficiency()], ignore_index=True) if own else _efficiency()
    names = tuple(dict.fromkeys(frame["name"]))
    charts.draw(_spec(names), "Share of wire and of model reached, by generation", rows=frame)
    st.caption(
        "Above 100 % of the wire the switches add (NVLS), or two domains share a tree: bus bandwidth assumes a ring."
    )
    if not own:
        charts.draw(_curves(), "Published all-reduce bus bandwidth over size by machine", rows=_points())
    with st.expander("Figures and sources", icon=":material/functions:"):
        tables.show(_table(), "Every published figure")
        answer.sources(dict.fromkeys(one.source for one in REFERENCES))


def _own(runs):
    """The reader's runs above what others published."""
    shares = [
        (name, of, what, share)
        for name, what, *both in runs
        for of, share in zip((WIRE, MODEL), both, strict=True)
        if share is not None
    ]
    return pd.DataFrame(
        [(name, None, of, share, what) for name, of, what, share in shares],
        columns=["name", "year", "of", "share", "what"],
    )


@lru_cache(maxsize=1)
def _efficiency():
    rows = []
    for one in REFERENCES:
        rows.append((one.name, GPUS[one.gpu].year, WIRE, one.share_of_wire, one.what))
        expected = _modelled(one)
        if expected:
            rows.append((one.name, GPUS[one.gpu].year, MODEL, one.peak_bytes_per_s / expected, one.what))
    return pd.DataFrame(rows, columns=["name", "year", "of", "share", "what"])


def _modelled(one):
    """What the calibrated model expects at the size of the peak; None where it is no all-reduce."""
    if one.what != ALL_REDUCE or one.domains > 1:
        return None
    system = configure(custom_system(CustomSystem(one.gpu, one.ranks)))
    size = one.points[-1][0]
    return float(sweep(Scenario(system, "all_reduce", one.ranks), [size]).busbw_bytes_per_s[0])


@lru_cache(maxsize=1)
def _points():
    rows = [
        (one.name, size, rate, format_size(size))
        for one in REFERENCES
        if len(one.points) > 1 and one.name not in ALIKE
        for size, rate in one.points
    ]
    return pd.DataFrame(rows, columns=["name", "size_bytes", "busbw", "size"])


def _table():
    return pd.DataFrame(
        {
            "machine": one.name,
            "what": one.what,
            "GPUs": one.ranks,
            "peak": format_rate(one.peak_bytes_per_s),
            "wire (GB/s)": one.wire_bytes_per_s / GB,
            "of wire": f"{one.share_of_wire:.0%}",
            "note": one.note,
            "source": one.source.title,
        }
        for one in REFERENCES
    )


@lru_cache(maxsize=16)
def _spec(names):
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort=list(names), axis=alt.Axis(labelLimit=220, labelOverlap=False))
    x = charts.share_axis("share", "Share reached", axis=alt.X, top=None)
    rule = base.mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(x=alt.datum(1))
    points = base.mark_point(filled=True, size=90, opacity=0.9).encode(
        x=x,
        y=y,
        color=alt.Color("of:N", title=None, sort=[WIRE, MODEL], legend=charts.legend()),
        shape=alt.Shape("what:N", title=None, legend=charts.legend(colour=charts.GREY, orient="bottom")),
        tooltip=[
            alt.Tooltip("name:N", title="Machine"),
            alt.Tooltip("what:N", title="What"),
            alt.Tooltip("of:N", title="Share"),
            alt.Tooltip("share:Q", title="Reached", format=".0%"),
            alt.Tooltip("year:O", title="Year of the GPU"),
        ],
    )
    return charts.spec(alt.layer(rule, points), height=90 + 22 * len(names))


@lru_cache(maxsize=1)
def _curves():
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=True)
        .encode(
            x=charts.log_axis("size_bytes", overlay.SIZE, "B", ticks=4),
            y=charts.linear_axis("busbw", overlay.BUSBW, "B/s"),
            color=alt.Color("name:N", title=None, legend=charts.legend(columns=3, narrow=1)),
            tooltip=[
                alt.Tooltip("name:N", title="Machine"),
                alt.Tooltip("size:N", title="Size"),
                charts.tip("busbw", "Bus bandwidth", "bytes/s"),
            ],
        )
    )
    return charts.spec(line, height=400)
