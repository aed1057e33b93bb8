"""Published measurements by GPU generation, so that a first visit has something to compare with."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.catalog import GPUS
from core.catalog.reference import ALL_REDUCE, REFERENCES, Reference
from core.collectives.pricing import Scenario, sweep
from core.systems import CustomSystem, configure, custom_system
from core.units import GB, format_rate, format_share, format_size, whole_percent
from pages.ui.shared import answer, charts, findings, overlay, palette, tables

ALIKE = ("8 x H200", "8 x B300", "4 x GB300 (a tray)")
"""As their neighbours within some percent: left out of the curves, not of the figures."""
LINK, MODEL = "of the unidirectional link rate", "of the calibrated model"
SHORT = "replace(replace(datum.label, 'InfiniBand ', ''), ' (a tray)', '')"
"""Names of systems that stand in two columns on a phone."""
SHORT_SHARE = "replace(datum.label, 'unidirectional ', '')"
"""Names of shares beside the long names of systems on a phone."""
SHARE_COLUMNS = ["name", "year", "of", "share", "operation"]


@dataclass(frozen=True, slots=True)
class OwnRun:
    """A run of the reader: its highest rate as shares of link and model."""

    name: str
    operation: str
    share_of_link: float
    share_of_model: float


def show(own: Sequence[OwnRun] = (), *, folded: bool = False) -> None:
    """
    Efficiency by generation, curves over size, and every figure with its source.

    Args:
        own: Runs of the reader, above the published ones.
        folded: The shares are in a section that is closed: the reader has runs to look at.
    """
    if folded:
        name = "Beside published systems, by generation" if own else "Published systems, by generation"
        with st.expander(name, icon=":material/compare_arrows:"):
            _shares(own)
    else:
        _shares(own)
    if not own:
        with st.expander("Published curves over message size", icon=":material/show_chart:"):
            _sizes()
    with st.expander("Figures and sources", icon=":material/functions:"):
        tables.show(_table(), "Every published figure")
        answer.sources(dict.fromkeys(reference.source for reference in REFERENCES))


def _shares(own: Sequence[OwnRun] = ()) -> None:
    st.subheader("Share of link rate and model, by generation")
    frame = pd.concat([_own(own), _published()], ignore_index=True) if own else _published()
    names = tuple(dict.fromkeys(frame["name"]))
    spans = (
        f"{of} {findings.span(rows['share'], format_share)}" for of, rows in frame.groupby("of", sort=False)
    )
    text = f"Measured bandwidth as a share of link rate and of the model, by system: {'; '.join(spans)}"
    charts.draw(_spec(names), text, rows=frame)
    st.caption(
        "Above 100 % of the link rate: in-network reduction (NVLS), or a tree over two domains. "
        "Bus bandwidth assumes a ring."
    )


def _sizes() -> None:
    st.subheader("Published all-reduce bus bandwidth vs message size")
    best = _points().groupby("name", sort=False)["busbw"].max()
    peaks = findings.listed(best.index, best, format_rate)
    text = f"Published all-reduce bus bandwidth vs message size by system: {peaks}"
    charts.draw(_curves(), text, rows=_points())


def _own(runs: Sequence[OwnRun]) -> pd.DataFrame:
    """The reader's runs above the published ones."""
    rows = [
        (run.name, None, of, share, run.operation)
        for run in runs
        for of, share in ((LINK, run.share_of_link), (MODEL, run.share_of_model))
    ]
    return pd.DataFrame(rows, columns=SHARE_COLUMNS)


@lru_cache(maxsize=1)
def _published() -> pd.DataFrame:
    rows = []
    for reference in REFERENCES:
        year = GPUS[reference.gpu].year
        rows.append((reference.name, year, LINK, reference.share_of_link, reference.what))
        expected = _modelled(reference)
        if expected:
            share = reference.peak_bytes_per_s / expected
            rows.append((reference.name, year, MODEL, share, reference.what))
    return pd.DataFrame(rows, columns=SHARE_COLUMNS)


def _modelled(reference: Reference) -> float | None:
    """Bus bandwidth of the calibrated model at the size of the peak; None where it is no all-reduce."""
    if reference.what != ALL_REDUCE or reference.domains > 1:
        return None
    system = configure(custom_system(CustomSystem(reference.gpu, reference.ranks)))
    size = reference.points[-1][0]
    return float(sweep(Scenario(system, "all_reduce", reference.ranks), [size]).busbw_bytes_per_s[0])


@lru_cache(maxsize=1)
def _points() -> pd.DataFrame:
    rows = [
        (reference.name, size, rate, format_size(size))
        for reference in REFERENCES
        if len(reference.points) > 1 and reference.name not in ALIKE
        for size, rate in reference.points
    ]
    return pd.DataFrame(rows, columns=["name", "size_bytes", "busbw", "size"])


def _table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "system": reference.name,
            "operation": reference.what,
            "GPUs": reference.ranks,
            "highest": format_rate(reference.peak_bytes_per_s),
            "link rate (GB/s)": tables.cell(reference.link_bytes_per_s, GB),
            "share of link rate": whole_percent(reference.share_of_link),
            "note": reference.note,
            "source": reference.source.title,
        }
        for reference in REFERENCES
    )


@lru_cache(maxsize=16)
def _spec(names: tuple[str, ...]) -> charts.Spec:
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort=list(names), axis=alt.Axis(labelLimit=220, labelOverlap=False))
    x = charts.share_axis("share", "% of link rate or model", axis=alt.X, top=None)
    rule = base.mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(x=alt.datum(1))
    points = base.mark_point(filled=True, size=90, opacity=0.9).encode(
        x=x,
        y=y,
        color=alt.Color(
            "of:N",
            title=None,
            scale=palette.scale(((LINK, palette.ORANGE), (MODEL, palette.BLUE))),
            legend=charts.legend(label=SHORT_SHARE),
        ),
        shape=alt.Shape("operation:N", title=None, legend=charts.legend(colour=charts.GREY, orient="bottom")),
        tooltip=[
            alt.Tooltip("name:N", title="System"),
            alt.Tooltip("operation:N", title="Operation"),
            alt.Tooltip("of:N", title="Share"),
            charts.tip("share", "Measured", "%"),
            alt.Tooltip("year:O", title="Year of the GPU"),
        ],
    )
    return charts.spec(alt.layer(rule, points), height=60 + 22 * len(names))


@lru_cache(maxsize=1)
def _curves() -> charts.Spec:
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=True)
        .encode(
            x=charts.size_axis("size_bytes", overlay.SIZE),
            y=charts.linear_axis("busbw", overlay.BUSBW, "B/s"),
            color=alt.Color("name:N", title=None, legend=charts.legend(columns=3, narrow=2, label=SHORT)),
            tooltip=[
                alt.Tooltip("name:N", title="System"),
                alt.Tooltip("size:N", title="Message size"),
                charts.tip("busbw", "Bus bandwidth", "bytes/s"),
            ],
        )
    )
    return charts.spec(line, height=370)
